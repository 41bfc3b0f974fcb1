import { setTimeout as sleep } from 'node:timers/promises';
import { exitWith } from '../../src/lifecycle.js';
import { createLog } from '../../src/log.js';
import { PoolCounts } from '../../src/admin/metrics/pool.js';
import { Pool } from '../../src/admission/pool/pool.js';
import { runOnThread } from '../../src/runs/runOnThread.js';
import { defaultRunLimits } from '../../workers/protocol.js';

// Run in a process of its own: drains a pool whose thread is in native code for minutes, and ends the process.

const config = {
  poolMinThreads: 1,
  poolMaxThreads: 1,
  poolMaxQueue: 10,
  poolMaxQueuePerWorkspace: 10,
  poolMaxWaitMs: 1000,
  runTimeoutMs: 100,
  runMaxHeapMb: 64,
  shutdownTimeoutMs: 2000,
};

const log = createLog('silent');
const pool = new Pool({
  config,
  limits: defaultRunLimits,
  log,
  observer: new PoolCounts(),
  worker: new URL('workers/native.js', import.meta.url),
});
await pool.ready();
const request = { programId: 'p', workspaceId: 'w', configurationId: '', body: '{}', traced: false, clock: 0, seed: 0 };
const reply = await runOnThread(pool, request, () => Promise.resolve({}));
const others = await pool.drain();
process.stdout.write(`${reply.kind === 'stopped' ? reply.reason : ''} ${others}\n`);
await sleep(100);
await exitWith(0, log, (withinMs) => pool.endThreads(withinMs));
