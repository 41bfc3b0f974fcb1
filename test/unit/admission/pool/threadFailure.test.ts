import { expect } from 'chai';
import { randomUUID } from 'node:crypto';
import { setImmediate as immediate } from 'node:timers/promises';
import { BroadcastChannel } from 'node:worker_threads';
import type { Pool } from '../../../../src/admission/pool/pool.js';
import { Thread } from '../../../../src/admission/pool/thread.js';
import { defaultRunLimits } from '../../../../workers/protocol.js';
import { HandClock } from '../../../support/handClock.js';
import { answerOf, bootPool, closePools, give, hold } from '../../../support/pools.js';
import { eventually } from '../../../support/eventually.js';

/** Threads of the same kind that start one after the other until `over` is settled; how many did. */
async function startsUntil(over: Promise<unknown>): Promise<number> {
  const state = { starts: 0, over: false };
  void over.then(() => (state.over = true));
  const worker = new URL('../../../support/workers/faults.js', import.meta.url);
  for (; !state.over; state.starts++) {
    const options = { worker, maxHeapMb: 64, limits: defaultRunLimits, onDeath: () => undefined };
    const thread = new Thread(options);
    await Promise.race([over, thread.started]);
    await thread.end();
  }
  return state.starts;
}

/** A run leaves something behind that its thread dies of, once the run is answered; its thread's number. */
async function diesBetweenRuns(pool: Pool): Promise<number> {
  const gate = randomUUID();
  const { thread } = await answerOf(give(pool, { do: 'lateThrow', gate }));
  const channel = new BroadcastChannel(gate);
  channel.postMessage('now');
  channel.close();
  return thread;
}

describe('Pool: faults of threads', () => {
  afterEach(closePools);

  it('ends a run that does not stop itself, while another thread serves', async () => {
    const clock = new HandClock();
    const pool = await bootPool({ poolMinThreads: 2, poolMaxThreads: 2, runTimeoutMs: 400, clock });
    const looping = give(pool, { do: 'loop' });
    let meanwhile = 0;
    const serve = (): Promise<unknown> => give(pool, { do: 'answer' }, { workspace: 'other' });
    // Time stands still, so whoever waited for its end would wait for ever.
    for (; meanwhile <= 50; meanwhile++) await serve();
    expect(pool.status()).to.include({ timedOut: 0, restarts: 0 });
    for (; pool.status().restarts === 0; meanwhile++) {
      clock.ms += 10;
      await serve();
    }
    expect(await looping).to.deep.include({ kind: 'stopped', reason: 'timeout', recordedFact: null });
    expect(meanwhile).to.be.above(50);
    expect(pool.status()).to.include({ timedOut: 1, restarts: 1 });
  });

  it('has its capacity back as soon as a thread can start', async () => {
    const clock = new HandClock();
    const pool = await bootPool({ runTimeoutMs: 10, clock });
    for (const deed of ['loop', 'heapBomb', 'exit'] as const) {
      const ended = give(pool, { do: deed });
      await (deed === 'loop' ? clock.passUntil(ended) : ended);
      // As many as start one after the other in a second, or more, where nothing else is to be done.
      const served = give(pool, { do: 'sleep', ms: 1 }).catch(() => undefined);
      expect(await startsUntil(served), deed).to.be.below(10);
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
        const culprit = await answerOf(give(pool, { do: deed }));
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
    const thread = await diesBetweenRuns(pool);
    await eventually(() => pool.status().restarts > 0);
    expect(pool.status()).to.include({ restarts: 1, threads: 1 });
    expect((await answerOf(give(pool, { do: 'answer' }))).thread).not.to.equal(thread);
  });

  it('repeats a run at most once, and then on a thread that nobody else had', async () => {
    const pool = await bootPool();
    await give(pool, { do: 'answer' });
    expect(await give(pool, { do: 'throwInTheOpen' })).to.include({ kind: 'stopped', reason: 'crash' });
    expect(pool.status().restarts).to.equal(2);
  });

  it('does not charge a run for the memory that others left in its thread', async () => {
    const pool = await bootPool({ runMaxHeapMb: 64 });
    await answerOf(give(pool, { do: 'hoard', mb: 35 }, { workspace: 'hoarder' }));
    expect(await give(pool, { do: 'need', mb: 40 }, { workspace: 'other' })).to.include({ kind: 'done' });
    expect(pool.status()).to.include({ restarts: 1, served: 2 });
  });

  it('charges a run for the memory that it takes itself, on a thread that nobody else had', async () => {
    const pool = await bootPool({ runMaxHeapMb: 64 });
    await give(pool, { do: 'answer' });
    expect(await give(pool, { do: 'need', mb: 200 })).to.include({ kind: 'stopped', reason: 'memory' });
    expect(pool.status().restarts).to.equal(2);
    expect(await give(pool, { do: 'answer' }, { workspace: 'other' })).to.include({ kind: 'done' });
  });

  it('tries again, ever more slowly, where a thread cannot start', async () => {
    const pool = await bootPool({
      worker: new URL('../../../support/workers/stillborn.js', import.meta.url),
      poolMaxWaitMs: 400,
    });
    const outcome = await give(pool, { do: 'answer' }).catch((error: unknown) => error);
    expect(outcome).to.include({ code: 'overloaded' });
  });

  it('logs what was lost and where, but no message of a worker', async () => {
    const logged: unknown[] = [];
    const pool = await bootPool({ logged });
    await give(pool, { do: 'throw' });
    await diesBetweenRuns(pool);
    await eventually(() => pool.status().restarts > 1);
    const text = JSON.stringify(logged);
    expect(logged).to.have.length(2);
    expect(text)
      .to.match(/faults\.[jt]s/)
      .and.to.include('crash');
    expect(text).not.to.match(/secret stack|late"/);
  });

  it('does not take its own slowness for that of a run', async () => {
    const clock = new HandClock();
    const pool = await bootPool({ runTimeoutMs: 100, poolMaxWaitMs: 100, clock });
    const { run, release } = await hold(pool);
    const runs = [run, give(pool, { do: 'answer' })];
    // From a check phase, so that timers are what comes next.
    await immediate();
    release();
    // Asleep, and the thread has the processor to answer; in pieces, so that no pause of the machine is all of it.
    for (let piece = 0; piece < 10; piece++) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
    clock.ms += 600;
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
