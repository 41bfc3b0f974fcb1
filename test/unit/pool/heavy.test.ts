import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Pool } from '../../../src/pool/pool.js';
import { bootPool, closePools, endOfTurn, give } from '../../support/pools.js';

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

async function longestOf(pool: Pool, runs: number): Promise<number> {
  let longest = 0;
  for (let run = 0; run < runs; run++) {
    const start = performance.now();
    await give(pool, { do: 'answer' }, good);
    longest = Math.max(longest, performance.now() - start);
    await sleep(5);
  }
  return longest;
}

describe('Pool: a workspace that floods it with long runs', () => {
  afterEach(closePools);

  for (const threads of [1, 2]) {
    it(`does not keep another from its thread, of ${threads}`, async () => {
      const pool = await bootPool({ poolMinThreads: threads, poolMaxThreads: threads, runTimeoutMs: 1500 });
      const flooding = flood(pool, 6, { do: 'loop' });
      // Until it is known for what it is, and there is a thread more.
      await sleep(1000);
      expect(await longestOf(pool, 200)).to.be.lessThan(500);
      expect(pool.status().threads).to.be.at.most(threads + 1);
      expect(flooding.ended).to.be.greaterThan(0);
      await pool.drain(0);
      await flooding.stop();
    });
  }

  it('gets threads again and again itself, when nobody else wants any', async () => {
    const pool = await bootPool({ poolMinThreads: 2, poolMaxThreads: 2, runTimeoutMs: 300 });
    const runs = [1, 2, 3, 4].map((n) => give(pool, { do: 'loop' }, bad(n)));
    const replies = await Promise.all(runs);
    expect(replies.map((reply) => reply.kind === 'stopped' && reply.reason)).to.deep.equal(Array(4).fill('timeout'));
    await give(pool, { do: 'answer' }, good);
  });

  it('leaves no thread too many behind, when nothing runs any more: it stayed until the next run', async () => {
    const pool = await bootPool({ heavyMs: 200 });
    await give(pool, { do: 'sleep', ms: 300 }, bad(0));
    expect(pool.status().threads).to.equal(2);
    for (const end = performance.now() + 5000; pool.status().threads > 1 && performance.now() < end;) await sleep(20);
    expect(pool.status().threads).to.equal(1);
  });

  it('is refused where nothing may wait, though a thread is idle: that one is kept for the others', async () => {
    const pool = await bootPool({ poolMinThreads: 2, poolMaxThreads: 2, poolMaxQueue: 0 });
    await give(pool, { do: 'sleep', ms: 300 }, bad(0));
    const running = give(pool, { do: 'sleep', ms: 300 }, bad(1));
    await endOfTurn();
    const refusal = await give(pool, { do: 'answer' }, bad(2)).catch((error: unknown) => error);
    expect(refusal).to.have.property('code', 'overloaded');
    await give(pool, { do: 'answer' }, good);
    await running;
  });

  it('has more threads started for it as long as there may be more, though one is kept for the others', async () => {
    const pool = await bootPool({ poolMaxThreads: 3 });
    for (const n of [0, 1]) await give(pool, { do: 'sleep', ms: 300 }, { ...bad(n), workspace: `bad${n}` });
    const runs = [0, 1].map((n) => give(pool, { do: 'sleep', ms: 50 }, { ...bad(n), workspace: `bad${n}` }));
    await endOfTurn();
    expect(pool.status()).to.include({ threads: 3, waiting: 1 });
    await Promise.all(runs);
  });
});
