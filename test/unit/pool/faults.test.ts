import { expect } from 'chai';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { answerOf, bootPool, closePools, give } from '../../support/pools.js';

describe('Pool: faults of threads', () => {
  afterEach(closePools);

  it('ends a run that does not stop itself, while another thread serves', async () => {
    const pool = await bootPool({ poolMinThreads: 2, poolMaxThreads: 2, runTimeoutMs: 400 });
    const looping = give(pool, { do: 'loop' });
    let meanwhile = 0;
    for (; pool.status().restarts === 0; meanwhile++) await give(pool, { do: 'answer' });
    expect(await looping).to.deep.include({ kind: 'stopped', reason: 'timeout', recordedFact: null });
    expect(meanwhile).to.be.above(50);
    expect(pool.status()).to.include({ timedOut: 1, restarts: 1 });
  });

  it('has its capacity back within a second', async () => {
    const pool = await bootPool({ runTimeoutMs: 10 });
    for (const deed of ['loop', 'heapBomb', 'exit'] as const) {
      await give(pool, { do: deed });
      const start = performance.now();
      await give(pool, { do: 'sleep', ms: 1 }).catch(() => undefined);
      expect(performance.now() - start, deed).to.be.below(1000);
      // Two while the workspace counts as heavy.
      expect(pool.status().threads, deed).to.be.within(1, 2);
    }
  });

  it('says what ended a run', async () => {
    const pool = await bootPool({ poolMinThreads: 2, poolMaxThreads: 2 });
    const reasons = {
      heapBomb: 'memory',
      exit: 'crash',
      abort: 'crash',
      throw: 'crash',
      throwInTheOpen: 'crash',
      unclonable: 'crash',
    } as const;
    for (const [deed, reason] of Object.entries(reasons)) {
      const reply = await give(pool, { do: deed as keyof typeof reasons });
      expect(reply, deed).to.include({ kind: 'stopped', reason });
      expect(JSON.stringify(reply), deed).not.to.match(/secret|\.js|at /);
      await give(pool, { do: 'answer' });
    }
  });

  for (const deed of ['lateThrow', 'lateReject'] as const) {
    it(`does not charge the next run for what an earlier one left behind: ${deed}`, async () => {
      const pool = await bootPool();
      for (let round = 0; round < 3; round++) {
        const culprit = await answerOf(give(pool, { do: deed, ms: 0 }));
        const next = await Promise.all([
          answerOf(give(pool, { do: 'sleep', ms: 30 })),
          answerOf(give(pool, { do: 'answer' })),
        ]);
        for (const { thread } of next) expect(thread).not.to.equal(culprit.thread);
      }
      expect(pool.status()).to.include({ served: 9, restarts: 3 });
    });
  }

  it('replaces a thread that dies between runs', async () => {
    const pool = await bootPool();
    const { thread } = await answerOf(give(pool, { do: 'lateThrow', ms: 20 }));
    await sleep(300);
    expect(pool.status()).to.include({ restarts: 1, threads: 1 });
    expect((await answerOf(give(pool, { do: 'answer' }))).thread).not.to.equal(thread);
  });

  it('repeats a run at most once, and then on a thread that nobody else had', async () => {
    const pool = await bootPool();
    await give(pool, { do: 'answer' });
    expect(await give(pool, { do: 'throwInTheOpen' })).to.include({ kind: 'stopped', reason: 'crash' });
    expect(pool.status().restarts).to.equal(2);
  });

  it('tries again, ever more slowly, where a thread cannot start', async () => {
    const pool = await bootPool({
      worker: new URL('../../support/workers/stillborn.js', import.meta.url),
      poolMaxWaitMs: 400,
    });
    const outcome = await give(pool, { do: 'answer' }).catch((error: unknown) => error);
    expect(outcome).to.include({ code: 'overloaded' });
  });

  it('logs what was lost and where, but no message of a worker', async () => {
    const logged: unknown[] = [];
    const pool = await bootPool({ logged });
    await give(pool, { do: 'throw' });
    await answerOf(give(pool, { do: 'lateThrow', ms: 20 }));
    await sleep(200);
    const text = JSON.stringify(logged);
    expect(logged).to.have.length(2);
    expect(text)
      .to.match(/faults\.[jt]s/)
      .and.to.include('crash');
    expect(text).not.to.match(/secret stack|late"/);
  });

  it('does not take its own slowness for that of a run', async () => {
    const pool = await bootPool({ runTimeoutMs: 100, poolMaxWaitMs: 100 });
    const runs = [give(pool, { do: 'sleep', ms: 20 }), give(pool, { do: 'answer' })];
    // From a check phase, so that timers are what comes next.
    await immediate();
    const end = performance.now() + 600;
    while (performance.now() < end);
    expect((await Promise.all(runs)).map(({ kind }) => kind)).to.deep.equal(['done', 'done']);
  });

  it('gives workers no environment of the server', async () => {
    process.env.VERDICT_TEST_SECRET = 'hidden';
    try {
      const pool = await bootPool();
      expect(await answerOf(give(pool, { do: 'environment' }))).to.include({ said: '' });
    } finally {
      delete process.env.VERDICT_TEST_SECRET;
    }
  });
});
