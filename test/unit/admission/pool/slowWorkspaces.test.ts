import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Pool } from '../../../../src/admission/pool/pool.js';
import { HandClock } from '../../../support/handClock.js';
import { bootPool, closePools, endOfTurn, give, hold } from '../../../support/pools.js';
import { eventually } from '../../../support/eventually.js';

const good = { workspace: 'good', programId: 'good' };
const bad = (n: number): { workspace: string; programId: string } => ({ workspace: 'bad', programId: `bad${n % 3}` });

/** Keeps `count` runs of the bad workspace on their way, each replaced when it has ended. */
function flood(pool: Pool, count: number, order: Parameters<typeof give>[1]): { stop(): Promise<void>; ended: number } {
  const state = { going: true, ended: 0 };
  const loop = async (n: number): Promise<void> => {
    while (state.going) {
      await give(pool, order, bad(n)).catch(() => sleep(5));
      state.ended++;
    }
  };
  const running = Promise.all(Array.from({ length: count }, (_, n) => loop(n)));
  return {
    get ended() {
      return state.ended;
    },
    async stop() {
      state.going = false;
      await running;
    },
  };
}

/** A run of that workspace that is on its thread for so long that the workspace is a heavy one from then on. */
async function slowRun(pool: Pool, clock: HandClock, options: ReturnType<typeof bad>): Promise<void> {
  const { run, release } = await hold(pool, options);
  const { threads } = pool.status();
  clock.ms += 300;
  // The pool looks at its clock now and then; what it has then is one thread more.
  await eventually(() => pool.status().threads > threads);
  release();
  await run;
}

describe('Pool: a workspace that floods it with long runs', () => {
  afterEach(closePools);

  for (const threads of [1, 2]) {
    it(`does not keep another from its thread, of ${threads}`, async () => {
      const clock = new HandClock();
      const settings = { poolMinThreads: threads, poolMaxThreads: threads, runTimeoutMs: 1500, poolMaxWaitMs: 1e9 };
      const pool = await bootPool({ ...settings, clock });
      const flooding = flood(pool, 6, { do: 'loop' });
      await endOfTurn();
      // Until it is known for what it is, and there is a thread more.
      clock.ms += 1000;
      await eventually(() => pool.status().threads > threads);
      for (let generation = 0; generation < 4; generation++) {
        const { ended } = flooding;
        for (let run = 0; run < 50; run++) await give(pool, { do: 'answer' }, good);
        // Time stood still, so no bad run has ended: had a good one waited for that, it would still wait.
        expect(flooding.ended).to.equal(ended);
        expect(pool.status().threads).to.be.at.most(threads + 1);
        // At first each thread has one of them, as nobody knew.
        const due = ended + (generation === 0 ? threads : 1);
        for (; flooding.ended < due; clock.ms += 5) {
          await give(pool, { do: 'answer' }, good);
          await sleep(1);
        }
      }
      expect(pool.status().threads).to.be.at.most(threads + 1);
      expect(flooding.ended).to.be.greaterThan(0);
      await pool.drain(0);
      await flooding.stop();
    });
  }

  it('gets threads again and again itself, when nobody else wants any', async () => {
    const clock = new HandClock();
    const pool = await bootPool({ poolMinThreads: 2, poolMaxThreads: 2, runTimeoutMs: 300, clock });
    const runs = [1, 2, 3, 4].map((n) => give(pool, { do: 'loop' }, bad(n)));
    const replies = await clock.passUntil(Promise.all(runs));
    expect(replies.map((reply) => reply.kind === 'stopped' && reply.reason)).to.deep.equal(Array(4).fill('timeout'));
    await give(pool, { do: 'answer' }, good);
  });

  it('leaves no thread too many behind, when nothing runs any more: it stayed until the next run', async () => {
    const clock = new HandClock();
    const pool = await bootPool({ overflowMs: 200, clock });
    await slowRun(pool, clock, bad(0));
    expect(pool.status().threads).to.equal(2);
    // Its debt is what it computed.
    clock.ms += 301;
    await eventually(() => pool.status().threads === 1);
    expect(pool.status().threads).to.equal(1);
  });

  it('is refused where nothing may wait, though a thread is idle: that one is kept for the others', async () => {
    const clock = new HandClock();
    const pool = await bootPool({ poolMinThreads: 2, poolMaxThreads: 2, poolMaxQueue: 0, clock });
    await slowRun(pool, clock, bad(0));
    const { run, release } = await hold(pool, bad(1));
    const refusal = await give(pool, { do: 'answer' }, bad(2)).catch((error: unknown) => error);
    expect(refusal).to.have.property('code', 'overloaded');
    await give(pool, { do: 'answer' }, good);
    release();
    await run;
  });

  it('has more threads started for it as long as there may be more, though one is kept for the others', async () => {
    const clock = new HandClock();
    const pool = await bootPool({ poolMaxThreads: 3, clock });
    await slowRun(pool, clock, { ...bad(0), workspace: 'bad0' });
    await give(pool, { do: 'exit' }, { ...bad(1), workspace: 'bad1' });
    await pool.ready();
    const runs = [0, 1].map((n) => give(pool, { do: 'sleep', ms: 50 }, { ...bad(n), workspace: `bad${n}` }));
    await endOfTurn();
    expect(pool.status()).to.include({ threads: 3, waiting: 1 });
    await Promise.all(runs);
  });
});
