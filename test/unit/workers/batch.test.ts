import { expect } from 'chai';
import { runBatch, type RunOne } from '../../../workers/batch.js';
import type { RunReply, ThreadTask } from '../../../workers/protocol.js';
import { runAll } from '../../../workers/run.js';
import { chain, expressions, script, taskOf } from '../../support/tasks.js';

const tasks = Array.from({ length: 5 }, (_, n) => taskOf(chain(), { fact: { n } }));
const counter = (): Int32Array => new Int32Array(1);
const lacking: RunReply = { kind: 'miss', program: true, configuration: false };

/** Of the thread, which a run moves by what it takes. */
let time = 0;
const clock = (): number => time;
const compute = (ms: number): void => void (time += ms);

/** Runs the tasks in a batch; tells which of them `runOne` was called for, by their place. */
async function batchOf(runOne: RunOne, begun = counter()): Promise<{ called: number[]; answered: number }> {
  const called: number[] = [];
  const noted: RunOne = (task, alone) => {
    called.push(tasks.indexOf(task));
    return runOne(task, alone);
  };
  const answer = await runBatch(tasks, begun, noted, clock);
  expect(answer.us).to.have.length(answer.replies.length);
  return { called, answered: answer.replies.length };
}

describe('A batch', () => {
  it('is run in order, and counted as it goes', async () => {
    const begun = counter();
    const counts: (number | undefined)[] = [];
    const { called, answered } = await batchOf(() => (counts.push(begun[0]), lacking), begun);
    expect(answered).to.equal(5);
    expect(called).to.deep.equal([0, 1, 2, 3, 4]);
    expect(counts).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('ends after a slow run', async () => {
    expect(await batchOf(() => (compute(3), lacking))).to.deep.equal({ called: [0], answered: 1 });
    expect(await batchOf(() => (compute(1.5), lacking))).to.deep.equal({ called: [0, 1], answered: 2 });
  });

  it('begins nothing that the pool has taken back', async () => {
    const begun = counter();
    const stop: RunOne = () => (Atomics.exchange(begun, 0, 2 ** 30), lacking);
    expect(await batchOf(stop, begun)).to.deep.equal({ called: [0], answered: 1 });
    expect(await batchOf(stop, begun)).to.deep.equal({ called: [], answered: 0 });
  });

  it('ends where a run may take a promise, and such a run is alone', async () => {
    const onlyAlone: RunOne = (_task, alone) => (alone ? Promise.resolve(lacking) : null);
    expect(await batchOf(onlyAlone)).to.deep.equal({ called: [0], answered: 0 });
    expect(await runBatch(tasks.slice(0, 1), counter(), onlyAlone)).to.deep.include({ replies: [lacking] });
    const unforeseen = await batchOf((task) => (task === tasks[1] ? Promise.resolve(lacking) : lacking));
    expect(unforeseen).to.deep.equal({ called: [0, 1], answered: 2 });
    const later = await batchOf((task, alone) => (task === tasks[2] ? onlyAlone(task, alone) : lacking));
    expect(later).to.deep.equal({ called: [0, 1, 2], answered: 2 });
  });

  it('says how long each took', async () => {
    const runOne: RunOne = (task) => (compute(task === tasks[0] ? 0.2 : 3), lacking);
    const { us } = await runBatch(tasks, counter(), runOne, clock);
    expect(us).to.deep.equal([200, 3000]);
  });
});

describe('runAll', () => {
  const double = chain(expressions({ doubled: 'n * 2' }));
  const kinds = async (...batch: readonly ThreadTask[]): Promise<string[]> => {
    const { replies } = await runAll(batch, counter());
    return replies.map((reply) => (reply.kind === 'done' ? reply.result : reply.kind));
  };

  it('answers each of its tasks, and misses as misses', async () => {
    const task = (n: number): ReturnType<typeof taskOf> => taskOf(double, { fact: { n } });
    const { bundle: _, ...bare } = taskOf(chain(expressions({ unknown: 'here' })));
    await kinds(task(0));
    let answered: string[] = [];
    // On a busy machine the budget can be used up by nothing.
    for (let round = 0; round < 50 && answered.length < 4; round++) {
      answered = await kinds(task(1), bare, task(3), taskOf(double, { fact: { n: 'no number' } }));
    }
    expect(answered.slice(0, 3)).to.deep.equal(['{"doubled":2}', 'miss', '{"doubled":6}']);
    expect(answered[3]).to.include('error');
  });

  it('runs code alone', async () => {
    const code = taskOf(chain(script('export const handler = async (input) => ({ code: input.n })')), {
      fact: { n: 1 },
    });
    const plain = taskOf(double, { fact: { n: 1 } });
    expect(await kinds(code)).to.deep.equal(['{"code":1}']);
    expect(await runAll([code, plain], counter())).to.deep.equal({ replies: [], us: [], alone: true });
    expect(await kinds(plain, code, plain)).to.deep.equal(['{"doubled":2}']);
  });
});
