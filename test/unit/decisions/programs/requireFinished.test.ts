import { expect } from 'chai';
import { requireFinished, requireReadInTime } from '../../../../src/decisions/programs/requireFinished.js';
import { Problem } from '../../../../src/errors.js';
import type { RunStopped } from '../../../../workers/protocol.js';

const stopped = (reason: RunStopped['reason'], message: string): RunStopped => ({
  ...{ kind: 'stopped', reason, message },
  ...{ engineUs: 1, recordedFact: null, factRedacted: false },
});
const told = (work: () => unknown): readonly [code: string, message: string] => {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return [error.code, error.message];
    throw error;
  }
  throw new Error('it threw nothing');
};

describe('work that a limit stopped', () => {
  it('is told as the run that it was, and of a file as what could not be read', () => {
    const late = stopped('timeout', 'The run passed its time limit and was stopped.');
    expect(told(() => requireFinished(late, 'A test: '))).to.deep.equal(['engine_timeout', `A test: ${late.message}`]);
    expect(told(() => requireReadInTime(late))).to.deep.equal([
      'engine_timeout',
      'The file could not be read in time.',
    ]);
    const dead = stopped('crash', 'The run ended without a result.');
    expect(told(() => requireReadInTime(dead))).to.deep.equal(['engine_failure', dead.message]);
  });

  it('is the answer where it was finished', () => {
    const answer = { refusal: null };
    expect(requireReadInTime<object>(answer)).to.equal(answer);
    expect(requireFinished<object>(answer)).to.equal(answer);
  });
});
