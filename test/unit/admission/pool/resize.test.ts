import { expect } from 'chai';
import { Registry } from 'prom-client';
import { poolGauges } from '../../../../src/admin/metrics/pool.js';
import { answerOf, bootPool, closePools, endOfTurn, give, hold, type Held } from '../../../support/pools.js';
import { eventually } from '../../../support/eventually.js';

describe('Pool: size and end', () => {
  afterEach(closePools);

  it('grows to its maximum while work waits, and not beyond', async () => {
    const pool = await bootPool({ poolMaxThreads: 3 });
    expect(pool.status().threads).to.equal(1);
    const begun: Held[] = [];
    const runs = Array.from({ length: 12 }, async () => {
      const held = await hold(pool);
      begun.push(held);
      return held;
    });
    await endOfTurn();
    expect(pool.status()).to.include({ threads: 3 });
    // Each is held on a thread of its own; the others have none.
    await eventually(() => begun.length === 3);
    expect(pool.status()).to.include({ threads: 3, busy: 3, waiting: 9 });
    const ended = runs.map(async (run) => {
      const held = await run;
      held.release();
      return answerOf(held.run);
    });
    const threads = new Set((await Promise.all(ended)).map(({ thread }) => thread));
    expect(threads.size).to.equal(3);
    expect(pool.status().threads).to.equal(3);
  });

  it('changes its size under load without losing a run', async () => {
    const pool = await bootPool({ poolMaxQueue: 1000, poolMaxQueuePerWorkspace: 1000 });
    const runs = Array.from({ length: 200 }, () => answerOf(give(pool, { do: 'sleep', ms: 5 })));
    for (const maxThreads of [4, 2, 4, 1, 3]) {
      pool.resize({ minThreads: maxThreads, maxThreads });
      expect(pool.status()).to.include({ maxThreads, threads: maxThreads });
      const { served } = pool.status();
      await eventually(() => pool.status().served >= served + 20);
    }
    await Promise.all(runs);
    expect(pool.status()).to.include({ served: 200, threads: 3, waiting: 0, restarts: 0, rejected: 0 });
  });

  it('lets busy threads finish their run when it shrinks, and keeps them when it grows again', async () => {
    const pool = await bootPool({ poolMinThreads: 3, poolMaxThreads: 3 });
    const threadsOf = async (runs: readonly ReturnType<typeof give>[]): Promise<number[]> =>
      (await Promise.all(runs.map(answerOf))).map(({ thread }) => thread);
    const held = await Promise.all([1, 2, 3].map(() => hold(pool)));
    pool.resize({ minThreads: 1, maxThreads: 1 });
    expect(pool.status()).to.include({ threads: 1, busy: 3 });
    pool.resize({ maxThreads: 2 });
    const during = [1, 2].map(() => hold(pool));
    for (const { release } of held) release();
    const before = await threadsOf(held.map(({ run }) => run));
    expect(new Set(before).size).to.equal(3);
    const after = await Promise.all(during);
    expect(pool.status()).to.include({ threads: 2, busy: 2 });
    const more = [1, 2, 3, 4].map(() => give(pool, { do: 'sleep', ms: 1 }));
    for (const { release } of after) release();
    const then = await threadsOf([...after.map(({ run }) => run), ...more]);
    expect(new Set(then).size).to.equal(2);
    expect(before).to.include.members(then);
  });

  it('counts as idle the threads that are, without those on their way out', async () => {
    const pool = await bootPool({ poolMinThreads: 3, poolMaxThreads: 3 });
    const registry = new Registry();
    poolGauges(registry, () => pool.status());
    const threads = async (): Promise<number[]> => {
      const text = await registry.getSingleMetricAsString('verdict_pool_threads');
      return ['busy', 'idle'].map((state) => Number(new RegExp(`{state="${state}"} (.+)$`, 'm').exec(text)?.[1]));
    };
    expect(await threads()).to.deep.equal([0, 3]);
    const held = await Promise.all([1, 2, 3].map(() => hold(pool)));
    expect(await threads()).to.deep.equal([3, 0]);
    pool.resize({ minThreads: 1, maxThreads: 1 });
    expect(await threads()).to.deep.equal([3, 0]);
    for (const { release } of held) release();
    await Promise.all(held.map(({ run }) => run));
    await eventually(async () => (await threads()).join() === '0,1');
  });

  it('applies a new time limit to what still waits', async () => {
    const pool = await bootPool();
    const { run, release } = await hold(pool);
    const second = answerOf(give(pool, { do: 'answer' }));
    pool.resize({ runTimeoutMs: 777 });
    release();
    expect((await answerOf(run)).timeoutMs).to.equal(10_000);
    expect((await second).timeoutMs).to.equal(777);
  });

  it('tells what becomes of runs and threads', async () => {
    const registry = new Registry();
    const pool = await bootPool({ poolMaxQueue: 0, registry });
    const running = give(pool, { do: 'exit' });
    await give(pool, { do: 'answer' }).catch(() => undefined);
    await running;
    const told = (await registry.metrics()).split('\n');
    expect(told).to.include.members([
      'verdict_pool_wait_seconds_count 1',
      'verdict_pool_run_seconds_count 1',
      'verdict_pool_rejected_runs_total{reason="queue_full"} 1',
      'verdict_pool_stopped_runs_total{reason="crash"} 1',
      'verdict_pool_worker_restarts_total 1',
    ]);
    expect(pool.status()).to.include({ served: 1, rejected: 1, timedOut: 0, restarts: 1 });
  });

  it('finishes what it has when it drains, and takes no more', async () => {
    const pool = await bootPool();
    const runs = [1, 2, 3].map(() => answerOf(give(pool, { do: 'sleep', ms: 50 })));
    const drained = pool.drain();
    const late = await give(pool, { do: 'answer' }).catch((error: unknown) => error);
    expect(late).to.include({ code: 'overloaded' });
    await drained;
    expect(await Promise.all(runs)).to.have.length(3);
    expect(pool.status().threads).to.equal(0);
  });

  it('refuses what comes back with its program after the end', async () => {
    const pool = await bootPool();
    let asked = false;
    let end = (): void => undefined;
    const drained = new Promise<void>((resolve) => (end = resolve));
    const provide = async (): Promise<{ bundle: string }> => {
      asked = true;
      await drained;
      return { bundle: '{}' };
    };
    const late = give(pool, { do: 'answer' }, { programId: 'cold', provide }).catch((error: unknown) => error);
    await eventually(() => asked);
    await pool.drain(0);
    end();
    expect(await late).to.include({ code: 'overloaded' });
  });

  it('ends what is not over by its deadline', async () => {
    const pool = await bootPool();
    const looping = give(pool, { do: 'loop' });
    const waiting = give(pool, { do: 'answer' }).catch((error: unknown) => error);
    await pool.drain(100);
    expect(await looping).to.include({ kind: 'stopped', reason: 'crash' });
    expect(await waiting).to.include({ code: 'overloaded' });
  });
});
