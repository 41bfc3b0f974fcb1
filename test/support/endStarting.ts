import { setTimeout as sleep } from 'node:timers/promises';
import { PoolCounts } from '../../src/admin/metrics/pool.js';
import { Pool } from '../../src/admission/pool/pool.js';
import { defaultRunLimits } from '../../workers/protocol.js';

// Run in a process of its own: starts pools with the engine and ends each of them while its threads are starting.

const stepMs = Number(process.argv[2]);
const config = {
  poolMinThreads: 2,
  poolMaxThreads: 2,
  poolMaxQueue: 10,
  poolMaxQueuePerWorkspace: 10,
  poolMaxWaitMs: 1000,
  runTimeoutMs: 1000,
  runMaxHeapMb: 64,
  shutdownTimeoutMs: 2000,
};

for (let ms = 20; ms < 180; ms += stepMs) {
  const pool = new Pool({
    config,
    limits: defaultRunLimits,
    log: { error: () => undefined },
    observer: new PoolCounts(),
  });
  await sleep(ms);
  await pool.drain(0);
}
process.stdout.write('survived\n');
