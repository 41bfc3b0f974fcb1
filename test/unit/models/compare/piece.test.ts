import { expect } from 'chai';
import { createModelWork, noMeasure, type CompareTask } from '../../../../workers/models/index.js';
import { createConfigurations } from '../../../../workers/configurations.js';
import { comparePiece } from '../../../../workers/models/compare/piece.js';
import { createPrograms } from '../../../../workers/programs.js';
import { defaultRunLimits } from '../../../../workers/protocol.js';
import { chain, expressions, programOf } from '../../../support/tasks.js';

const untold = { ignore: [], tolerance: 0, measures: [], outcomes: [], stated: null, reach: false };
const work = createModelWork(defaultRunLimits);
const clock = Date.UTC(2026, 0, 31);
/** What both runs of a case see. */
const seen = { clock, seed: 1, factRedacted: false, outcomes: [] };

describe('a piece of a comparison', function () {
  it('gives all measures of a case one time limit, and skips the case where they pass it', async () => {
    const { id, bundle } = programOf(chain(expressions({ y: 'x' })));
    // Each of them ends by its own limit of steps, all together take a hundred times as long.
    const expression = 'sum(map([1..300000], # + fact.x))';
    const measures = Array.from({ length: 20 }, (_, index) => {
      return { name: `m${index}`, expression, aggregate: 'count' as const };
    });
    const one = { result: '{"y":1}', completed: true, program: null, ...seen };
    const task: CompareTask = {
      ...{ kind: 'compare', workspaceId: 'w', configurationId: '', settings: { ...untold, measures } },
      programs: [{ programId: id, bundle, getsSecrets: true }],
      cases: [{ ...one, fact: '{"x":1}' }],
    };
    const limits = defaultRunLimits.engine;
    const context = {
      limits,
      programs: createPrograms(1e9, { limits }),
      configurations: createConfigurations(1e6),
    };
    const { tallies: within } = await comparePiece(task, 600_000, context);
    expect(within).to.deep.include({ identical: 1, skipped: {} });
    expect(within.measures).to.have.length(20);
    expect(within.measures[19]).to.deep.include({ after: { ...within.measures[0]!.after, runs: 1 } });
    const { tallies: beyond } = await comparePiece(task, 20, context);
    expect(beyond).to.deep.include({ identical: 0, skipped: { limit: 1 }, afterUs: [] });
    expect(beyond.measures[0]).to.deep.equal({ before: noMeasure, after: noMeasure });
  });

  it('runs no case where it lacks something, and says what', async () => {
    const programs = ['not there', 'nor this'].map((programId) => ({ programId, getsSecrets: true }));
    const settings = untold;
    const answer = await work.work('w', {
      ...{ kind: 'compare', workspaceId: 'w', configurationId: 'e:1', programs, settings },
      cases: [{ fact: '{}', result: '{}', completed: true, program: 1, ...seen }],
    });
    expect(answer).to.deep.include({ done: 0, lacking: { programs: [0, 1], configuration: true } });
  });
});
