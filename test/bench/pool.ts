import { bootPool, closePools } from '../support/pools.js';

/**
 * Round trips of the pool with a worker that does next to nothing: microseconds per run by threads and runs in flight.
 * Run it with `node dist/test/bench/pool.js [rounds]`.
 */
const rounds = Number(process.argv[2] ?? 40_000);
const worker = new URL('../support/workers/trivial.js', import.meta.url);
const request = { programId: 'a'.repeat(64), configurationId: 'b'.repeat(38), traced: false };
const options = { provide: () => Promise.reject(new Error('nothing to provide')) };

async function measure(threads: number, inFlight: number, bodyBytes: number): Promise<number> {
  const pool = await bootPool({ poolMinThreads: threads, poolMaxThreads: threads, worker });
  const body = JSON.stringify({ fact: { text: 'x'.repeat(bodyBytes) } });
  const loop = async (count: number): Promise<void> => {
    for (let round = 0; round < count; round++) await pool.run('workspace', { ...request, body }, options);
  };
  await Promise.all(Array.from({ length: inFlight }, () => loop(2000 / inFlight)));
  const start = performance.now();
  await Promise.all(Array.from({ length: inFlight }, () => loop(rounds / inFlight)));
  const us = ((performance.now() - start) / rounds) * 1000;
  await closePools();
  return us;
}

for (const [threads, inFlight, bytes] of [
  [1, 1, 200],
  [1, 32, 200],
  [2, 2, 200],
  [2, 32, 200],
  [2, 32, 10_000],
] as const) {
  const us = await measure(threads, inFlight, bytes);
  process.stdout.write(`threads ${threads}, in flight ${inFlight}, body ${bytes} B: ${us.toFixed(1)} us a run\n`);
}
