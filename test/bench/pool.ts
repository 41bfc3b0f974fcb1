import { runOnThread } from '../../src/runs/run.js';
import { bootPool, closePools } from '../support/pools.js';
import { chain, expressions, taskOf } from '../support/tasks.js';

/**
 * Round trips of the pool, microseconds per run, by worker, threads, runs in flight and size of the body: with a worker
 * that does next to nothing, so that the pool's own cost shows, and with the engine and a small model.
 * Run it with `node dist/test/bench/pool.js [rounds]`.
 */
const rounds = Number(process.argv[2] ?? 40_000);
const workers = {
  trivial: new URL('../support/workers/trivial.js', import.meta.url),
  engine: new URL('../../workers/thread/run.js', import.meta.url),
};
const task = taskOf(chain(expressions({ doubled: 'n * 2' })));
const { bundle = '', configuration = '', ...request } = task;
const fetch = () => Promise.resolve({ bundle, configuration });

interface Setup {
  readonly worker: keyof typeof workers;
  readonly threads: number;
  readonly inFlight: number;
  readonly bytes: number;
}

/** `cpuUs` counts all threads and the kernel; on a busy machine it says more than the time that passed. */
async function measure({ worker, threads, inFlight, bytes }: Setup): Promise<{ us: number; cpuUs: number }> {
  const pool = await bootPool({ poolMinThreads: threads, poolMaxThreads: threads, worker: workers[worker] });
  const body = JSON.stringify({ fact: { n: 21, text: 'x'.repeat(bytes) } });
  const loop = async (count: number): Promise<void> => {
    for (let round = 0; round < count; round++) await runOnThread(pool, { ...request, body }, fetch);
  };
  const all = (count: number): Promise<unknown> =>
    Promise.all(Array.from({ length: inFlight }, () => loop(count / inFlight)));
  await all(4000);
  const start = performance.now();
  const cpuBefore = process.cpuUsage();
  await all(rounds);
  const us = ((performance.now() - start) / rounds) * 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  await closePools();
  return { us, cpuUs: (user + system) / rounds };
}

for (const worker of ['trivial', 'engine'] as const) {
  for (const [threads, inFlight, bytes] of [
    [1, 1, 200],
    [1, 32, 200],
    [2, 2, 200],
    [2, 32, 200],
    [2, 32, 10_000],
  ] as const) {
    const { us, cpuUs } = await measure({ worker, threads, inFlight, bytes });
    const setup = `${worker}, threads ${threads}, in flight ${inFlight}, body ${bytes} B`;
    process.stdout.write(`${setup}: ${us.toFixed(1)} us a run, ${cpuUs.toFixed(1)} us of processor time\n`);
  }
}
