import { expect } from 'chai';
import type { Pool } from '../../../../src/admission/pool/pool.js';
import { HandClock } from '../../../support/handClock.js';
import { eventually } from '../../../support/eventually.js';
import { bootPool, closePools, give, hold } from '../../../support/pools.js';
import type { Order } from '../../../support/workers/faults.js';

const two = { poolMinThreads: 2, poolMaxThreads: 2 };

const prepare = (pool: Pool, order: Order, programId: string, workspace = 'w'): Promise<boolean> =>
  pool.prepare({ programId, workspaceId: workspace, bundle: JSON.stringify(order) });

/** Of as many runs as there are threads at once, those that lacked the program. */
async function misses(pool: Pool, programId: string): Promise<number> {
  let missed = 0;
  const provide = (): Promise<{ bundle: string }> => Promise.resolve((missed++, { bundle: '{}' }));
  const runs = Array.from({ length: pool.status().threads }, () =>
    give(pool, { do: 'answer' }, { programId, provide }),
  );
  await Promise.all(runs);
  return missed;
}

describe('Pool: preparation', () => {
  afterEach(closePools);

  for (const [threads, settings] of [
    ['all threads', two],
    ['the only one while nothing is served', {}],
  ] as const) {
    it(`compiles a program on ${threads}`, async () => {
      const pool = await bootPool(settings);
      await prepare(pool, { do: 'answer' }, 'cold');
      expect(await misses(pool, 'cold')).to.equal(0);
    });
  }

  it('does not take the last thread that serves', async () => {
    const clock = new HandClock();
    const pool = await bootPool({ ...two, clock });
    const { run, release } = await hold(pool, { workspace: 'holder' });
    await give(pool, { do: 'answer' });
    // Long enough to hold its thread for long; another is started in its stead.
    clock.ms += 300;
    await eventually(() => pool.status().threads > 2);
    const preparing = prepare(pool, { do: 'loop' }, 'cold');
    for (let served = 0; served < 20; served++) await give(pool, { do: 'answer' }, { workspace: 'other' });
    release();
    await run;
    await clock.passUntil(preparing);
  });

  it('starts another thread where the only one serves', async () => {
    const pool = await bootPool({ poolMaxThreads: 2 });
    await give(pool, { do: 'answer' });
    await prepare(pool, { do: 'answer' }, 'cold');
    expect(pool.status()).to.include({ threads: 2, restarts: 0 });
    expect(await misses(pool, 'cold')).to.equal(0);
  });

  it('leaves the only thread that there may be to the runs', async () => {
    const pool = await bootPool();
    await give(pool, { do: 'answer' });
    await prepare(pool, { do: 'loop' }, 'cold');
    expect(pool.status()).to.include({ threads: 1, restarts: 0 });
  });

  it('says so when it had to end a thread, by one alone, while others were served', async () => {
    const clock = new HandClock();
    const pool = await bootPool({ ...two, clock });
    await give(pool, { do: 'answer' });
    const preparing = prepare(pool, { do: 'loop' }, 'cold');
    for (let served = 0; served < 20; served++) await give(pool, { do: 'answer' }, { workspace: 'other' });
    expect(await clock.passUntil(preparing)).to.equal(false);
    expect(pool.status()).to.include({ restarts: 1 });
    expect(await prepare(pool, { do: 'answer' }, 'cold of another', 'other')).to.equal(true);
  });

  it('charges the workspace for what it computes', async () => {
    const clock = new HandClock();
    const pool = await bootPool({ ...two, clock });
    await give(pool, { do: 'answer' });
    await clock.passUntil(prepare(pool, { do: 'loop' }, 'cold'));
    // A workspace is slow, so others have one thread more.
    await pool.ready();
    expect(pool.status().threads).to.equal(3);
  });
});
