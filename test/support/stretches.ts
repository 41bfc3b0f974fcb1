// Preloaded into a server: writes how long its main thread ran without a turn of the event loop, in processor time. What the machine
// gives to other processes in that time counts for nothing, as a delay of the loop would.
import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env['STRETCHES_FILE'];
/** Shorter ones are not told, in milliseconds. */
const tellMs = 20;
const tickMs = 4;

/** Milliseconds that the main thread, which has the number of its process, was on a processor. */
const used = (): number => Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

if (isMainThread && file !== undefined) {
  let last = used();
  setInterval(() => {
    const now = used();
    // A timer comes once a turn: what was used since the last one is at most one turn's work and a tick.
    if (now - last >= tellMs) appendFileSync(file, `${Math.round(now - last)}\n`);
    last = used();
  }, tickMs).unref();
}
