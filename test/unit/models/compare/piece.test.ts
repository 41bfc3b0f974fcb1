import { expect } from 'chai';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { LongNumber, parseExactly } from '../../../../workers/json/index.js';
import {
  createModelWork,
  noMeasure,
  type CompareAnswer,
  type CompareCase,
  type CompareTask,
} from '../../../../workers/models/index.js';
import { createConfigurations } from '../../../../workers/configurations.js';
import { comparePiece } from '../../../../workers/models/compare/piece.js';
import { createPrograms } from '../../../../workers/programs.js';
import { defaultRunLimits } from '../../../../workers/protocol.js';
import { run } from '../../../../workers/run.js';
import { Tallies } from '../../../../src/replays/tallies.js';
import { otherModel, someModel } from '../../../differential/graphs.js';
import { someFact } from '../../../differential/values.js';
import { chain, expressions, programOf, taskOf } from '../../../support/tasks.js';
import { cases } from '../../../support/environment.js';

const untold = { ignore: [], tolerance: 0, measures: [], outcomes: [], stated: null, reach: false };
const work = createModelWork(defaultRunLimits);
const clock = Date.UTC(2026, 0, 31);
/** What both runs of a case see. */
const seen = { clock, seed: 1, factRedacted: false, outcomes: [] };

/** What a run of the model would leave in the record. */
async function record(model: object, others: Record<string, object>, fact: unknown): Promise<CompareCase | undefined> {
  const reply = await run(taskOf(model, { fact, subDecisions: others }));
  if (reply.kind !== 'done') return undefined;
  const { status, recordedFact, recordedResult, result } = reply;
  return {
    fact: recordedFact,
    result: recordedResult ?? result,
    completed: status === 'COMPLETED',
    program: 1,
    ...seen,
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !(value instanceof LongNumber);

/** A text that is the same for the same value. */
function canonical(value: unknown): string {
  if (typeof value === 'number') return new Decimal(value).toFixed();
  if (value instanceof LongNumber) return new Decimal(value.text).toFixed();
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === undefined) return 'absent';
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join()}}`;
}

/** The places where two values differ, the straightforward way. */
function pointers(before: unknown, after: unknown, pointer = ''): string[] {
  if (canonical(before) === canonical(after)) return [];
  if (!isObject(before) || !isObject(after) || Array.isArray(before) !== Array.isArray(after)) return [pointer];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const [one, other] = [before, after].map((value) => (Object.hasOwn(value, key) ? value[key] : undefined));
    return pointers(one, other, `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  });
}

interface Counts {
  identical: number;
  changed: number;
  newlyFailed: number;
  newlyCompleted: number;
  fields: Record<string, number>;
}

function straightforward(before: readonly CompareCase[], after: readonly CompareCase[]): Counts {
  const counts: Counts = { identical: 0, changed: 0, newlyFailed: 0, newlyCompleted: 0, fields: {} };
  before.forEach(({ completed, result }, index) => {
    const now = after[index]!;
    if (completed !== now.completed) {
      counts[completed ? 'newlyFailed' : 'newlyCompleted']++;
      return;
    }
    const changed = completed ? pointers(parseExactly(result), parseExactly(now.result)) : [];
    counts[changed.length === 0 ? 'identical' : 'changed']++;
    for (const pointer of changed) counts.fields[pointer] = (counts.fields[pointer] ?? 0) + 1;
  });
  return counts;
}

async function compared(programs: { id: string; bundle: string }[], cases: readonly CompareCase[]): Promise<Counts> {
  const tallies = new Tallies();
  const settings = untold;
  for (let from = 0; from < cases.length;) {
    const answer = (await work.work('w', {
      kind: 'compare',
      workspaceId: 'w',
      configurationId: '',
      programs: programs.map(({ id, bundle }) => ({ programId: id, bundle, getsSecrets: true })),
      settings,
      cases: cases.slice(from),
    })) as CompareAnswer;
    tallies.add(answer.tallies);
    from += answer.done;
  }
  const report = JSON.parse(tallies.report(untold)) as Counts & { fields: { pointer: string; count: number }[] };
  const { identical, changed, newlyFailed, newlyCompleted, fields } = report;
  const byPointer = Object.fromEntries(fields.map(({ pointer, count }) => [pointer, count]));
  return { identical, changed, newlyFailed, newlyCompleted, fields: byPointer };
}

describe('a piece of a comparison', function () {
  it('counts as a straightforward comparison does, on random models and facts', async () => {
    const other = otherModel as fc.Arbitrary<object>;
    await fc.assert(
      fc.asyncProperty(
        someModel as fc.Arbitrary<object>,
        someModel as fc.Arbitrary<object>,
        other,
        other,
        fc.array(someFact, { minLength: 1, maxLength: 6 }),
        async (first, second, sub, otherSub, facts) => {
          // Each version with the sub-decision of its time.
          const [recorded, candidate] = [
            { model: first, others: { other: sub } },
            { model: second, others: { other: otherSub } },
          ];
          const before: CompareCase[] = [];
          const after: CompareCase[] = [];
          for (const fact of facts) {
            const one = await record(recorded.model, recorded.others, fact);
            const two = await record(candidate.model, candidate.others, fact);
            if (one === undefined || two === undefined) continue;
            before.push(one);
            after.push(two);
          }
          const programs = [candidate, recorded].map(({ model, others }) => programOf(model, others));
          expect(await compared(programs, before)).to.deep.equal(straightforward(before, after));
        },
      ),
      { numRuns: cases(150) },
    );
  });

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
