import { expect } from 'chai';
import type { Pool } from '../../../../src/admission/pool/pool.js';
import { eventually } from '../../../support/eventually.js';
import { HandClock } from '../../../support/handClock.js';
import { answerOf, bootPool, closePools, give, type Answer, type Ordered } from '../../../support/pools.js';
import type { Order } from '../../../support/workers/faults.js';

const quick: Order = { do: 'answer' };
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));
const answers = (runs: readonly ReturnType<typeof give>[]): Promise<Answer[]> => Promise.all(runs.map(answerOf));

/** Answers by the batch that they came in. */
function byBatch(all: readonly Answer[]): Answer[][] {
  const batches = new Map<string, Answer[]>();
  for (const answer of all) {
    const key = `${answer.thread} ${answer.batch}`;
    batches.set(key, [...(batches.get(key) ?? []), answer]);
  }
  return [...batches.values()];
}

const longest = (all: readonly Answer[]): number => Math.max(...byBatch(all).map(({ length }) => length));

/**
 * Quick runs until they come in batches of five or more: only then is a batch of what follows likely. On a busy machine
 * runs seem slow, and slow runs are not put together; so no test may rely on one batch in particular.
 */
async function warm(pool: Pool): Promise<void> {
  for (let round = 0; round < 200; round++) {
    if (longest(await answers(times(12, () => give(pool, quick)))) >= 5) return;
  }
  throw new Error('no batch was ever formed');
}

/** Every thread has a quick run, and these runs wait: they are likely to be a batch. */
function together(pool: Pool, orders: readonly Order[], options: Ordered = {}): ReturnType<typeof give>[] {
  times(pool.status().threads, () => void give(pool, quick));
  return orders.map((order) => give(pool, order, options));
}

describe('Pool: batches', () => {
  afterEach(closePools);

  it('are, while threads are idle, of the shortest runs alone: others have a thread each', async () => {
    const pool = await bootPool({ poolMinThreads: 3, poolMaxThreads: 3 });
    const longer = (): ReturnType<typeof give> => give(pool, { do: 'sleep', ms: 5 });
    for (let run = 0; run < 5; run++) await longer();
    for (let round = 0; round < 10; round++) {
      const spread = await answers(times(3, longer));
      expect(new Set(spread.map(({ thread }) => thread)).size).to.equal(3);
    }
  });

  it('are of one workspace, and in order', async () => {
    const pool = await bootPool({ poolMinThreads: 2, poolMaxThreads: 2 });
    await warm(pool);
    let shared = 0;
    for (let round = 0; round < 20; round++) {
      const runs = times(30, (n) => {
        const workspace = ['a', 'a', 'b'][n % 3] ?? '';
        return give(pool, quick, { workspace, programId: workspace, configurationId: String(n) });
      });
      for (const batch of byBatch(await answers(runs))) {
        expect(new Set(batch.map(({ programId }) => programId)).size).to.equal(1);
        const sent = batch.map(({ configurationId }) => Number(configurationId));
        expect(sent).to.deep.equal([...sent].sort((x, y) => x - y));
        expect(batch.map(({ nth }) => nth)).to.deep.equal(batch.map((_, n) => (batch[0]?.nth ?? 0) + n));
        shared += batch.length - 1;
      }
    }
    expect(shared).to.be.above(20);
  });

  it('let a flood delay another workspace by a few runs', async () => {
    const pool = await bootPool();
    await warm(pool);
    for (let round = 0; round < 10; round++) {
      const flood = times(80, () => give(pool, quick, { workspace: 'flood' }));
      const [first, other] = await answers([flood[0] ?? give(pool, quick), give(pool, quick, { workspace: 'other' })]);
      expect((other?.nth ?? 0) - (first?.nth ?? 0)).to.be.at.most(10);
      await Promise.all(flood);
    }
  });

  it('do not go on after a slow run', async () => {
    const pool = await bootPool({ poolMinThreads: 2, poolMaxThreads: 2 });
    await warm(pool);
    for (let round = 0; round < 5; round++) {
      const [slow, ...rest] = await answers(together(pool, [{ do: 'compute', ms: 4 }, quick, quick, quick]));
      const behind = rest.filter(({ thread, batch }) => thread === slow?.thread && batch === slow.batch);
      expect(behind).to.deep.equal([]);
    }
    expect(pool.status().restarts).to.equal(0);
  });

  it('do not have runs that take a promise, and learn which', async () => {
    const pool = await bootPool();
    await warm(pool);
    const nap: Order = { do: 'sleep', ms: 0 };
    const programId = 'with code';
    await answers(together(pool, [quick, nap, quick], { programId }));
    for (let round = 0; round < 3; round++) {
      await warm(pool);
      void give(pool, quick);
      const runs = times(6, () => give(pool, quick, { programId }));
      expect(longest(await answers(runs))).to.equal(1);
    }
  });

  it('do not wait for a run that is stuck', async () => {
    const clock = new HandClock();
    const runTimeoutMs = 1e6;
    const pool = await bootPool({ poolMinThreads: 2, poolMaxThreads: 2, runTimeoutMs, clock });
    await warm(pool);
    const [before, stuck, ...behind] = together(pool, [quick, { do: 'loop' }, ...times(4, () => quick)]);
    const ended: string[] = [];
    const note = async (name: string, run?: Promise<unknown>): Promise<void> => void (await run, ended.push(name));
    const end = note('stuck', stuck);
    const others = Promise.all([before, ...behind].map((run) => note('quick', run)));
    // What waits behind it is taken back after a moment, long before the limit.
    await clock.passUntil(others);
    clock.ms += runTimeoutMs;
    await clock.passUntil(end);
    expect(ended).to.deep.equal([...times(5, () => 'quick'), 'stuck']);
    expect(await stuck).to.include({ kind: 'stopped', reason: 'timeout' });
  });

  const ends = { loop: 'timeout', heapBomb: 'memory', exit: 'crash', throw: 'crash' } as const;
  for (const [deed, reason] of Object.entries(ends) as [keyof typeof ends, string][]) {
    it(`lose one run where a thread is lost: ${deed}`, async () => {
      // What ends by itself has no limit: a busy machine must not make a time limit of it.
      const runTimeoutMs = deed === 'loop' ? 300 : 1e9;
      const clock = new HandClock();
      const pool = await bootPool({ poolMinThreads: 2, poolMaxThreads: 2, runTimeoutMs, runMaxHeapMb: 32, clock });
      for (let round = 0; round < 2; round++) {
        await warm(pool);
        // A spare thread may be there after the first round.
        const { served, threads } = pool.status();
        const given = together(pool, [quick, quick, { do: deed }, quick, quick, quick]);
        const replies = await clock.passUntil(Promise.all(given));
        expect(replies.map(({ kind }) => kind)).to.deep.equal(['done', 'done', 'stopped', 'done', 'done', 'done']);
        expect(replies[2]).to.include({ reason });
        // Those before them, one for each thread, may be answered last: once runs go alone, another thread has them.
        await eventually(() => pool.status().served >= served + 6 + threads);
        expect(pool.status().served).to.equal(served + 6 + threads);
      }
    });
  }

  it('go on after a miss', async () => {
    const pool = await bootPool();
    await warm(pool);
    for (let round = 0; round < 5; round++) {
      let asked = 0;
      const provide = (): Promise<{ bundle: string }> => Promise.resolve((asked++, { bundle: '{}' }));
      const programs = ['p', `cold ${round}`, 'p', 'p', `cold too ${round}`, 'p'];
      void give(pool, quick);
      const given = programs.map((programId) => give(pool, quick, { programId, provide }));
      expect((await answers(given)).map(({ programId }) => programId)).to.deep.equal(programs);
      expect(asked).to.equal(2);
    }
  });

  it('come to an end when the pool drains, and when it is resized', async () => {
    const pool = await bootPool({ poolMaxQueue: 1000, poolMaxQueuePerWorkspace: 1000 });
    await warm(pool);
    const { served } = pool.status();
    const runs = times(400, () => give(pool, quick));
    for (const maxThreads of [3, 1, 2]) {
      pool.resize({ minThreads: maxThreads, maxThreads });
      await runs[maxThreads * 20];
    }
    const drained = pool.drain();
    await answers(runs);
    await drained;
    expect(pool.status()).to.include({ served: served + 400, restarts: 0, rejected: 0, waiting: 0 });
  });
});
