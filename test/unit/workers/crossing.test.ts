import { expect } from 'chai';
import { packed, unpacked } from '../../../workers/crossing.js';
import type { RunDone, RunStopped, ThreadReply } from '../../../workers/protocol.js';
import { chain, taskOf } from '../../support/tasks.js';

const body = '{"fact": {"n":"ü😀"} , "version":1}';
const done: RunDone = {
  kind: 'done',
  status: 'COMPLETED',
  result: '{"a":1}',
  trace: '{"i":{}}',
  engineUs: 7,
  error: null,
  recordedFact: '{"n":"ü😀"}',
  recordedResult: null,
  factRedacted: false,
};
const stopped: RunStopped = {
  kind: 'stopped',
  reason: 'timeout',
  message: 'It took too long.',
  engineUs: 5,
  recordedFact: null,
  factRedacted: false,
};
const task = { ...taskOf(chain()), body };

describe('A reply', () => {
  const crossed = (reply: ThreadReply): unknown => {
    const [crossing] = packed({ replies: [reply], us: [1], alone: false }, [task]).replies;
    return crossing === undefined ? undefined : unpacked(crossing, body);
  };
  const unusual: Readonly<Record<string, ThreadReply>> = {
    'of a failed run': { ...done, status: 'FAILED', error: '{"code":"type"}' },
    'with a redacted fact': { ...done, recordedFact: '{"n":"[redacted]"}', factRedacted: true },
    'with a redacted result': { ...done, recordedResult: '{"a":"[redacted]"}' },
    'whose fact was written anew': { ...done, recordedFact: '{"n":"\u00fc"}' },
    'of a stopped run': stopped,
    'that lacks the program': { kind: 'miss', program: true, configuration: false },
  };

  it('of the usual kind crosses as a list, without its fact, and is the same after that', () => {
    expect(packed({ replies: [done], us: [1], alone: false }, [task])).to.deep.equal({
      replies: [['{"a":1}', '{"i":{}}', 7, 9, 20]],
      us: [1],
      alone: false,
    });
    expect(crossed(done)).to.deep.equal(done);
    expect(crossed({ ...done, trace: null })).to.deep.equal({ ...done, trace: null });
  });

  for (const [which, reply] of Object.entries(unusual)) {
    it(`${which} crosses as it is`, () => expect(crossed(reply)).to.deep.equal(reply));
  }

  it('knows the bodies of tasks that came as one', () => {
    const own = [[body, 1, 1]] as const;
    expect(packed({ replies: [done], us: [1], alone: false }, { one: task, own }).replies[0]).to.have.length(5);
  });
});
