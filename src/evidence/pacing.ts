import { performance } from 'node:perf_hooks';
import { pause } from '../clock/timers.js';

/** Of the time: what sequencing takes at most, and at least, however busy the process is. */
const shares = { most: 0.5, least: 0.01 };
/** Half of what the event loop was idle beyond this is taken: one that is hardly idle only waits for MySQL and the threads. */
const [ofIdle, spare] = [0.5, 0.2];
/** How long a reading of the event loop's use counts, in milliseconds. */
const readingMs = 500;

/**
 * Rests between pieces of work, so that executions have the main thread and MySQL when they need them: sequencing takes half of
 * the time that they leave, and little of it where they leave none. It catches up afterwards.
 */
export class Pacing {
  readonly #ended = new AbortController();
  #reading = performance.eventLoopUtilization();
  #share = shares.most;
  readonly #longestMs: number;
  /** When the rests of all pieces so far end: those of several workspaces follow each other. */
  #restedAt = 0;

  /** @param longestMs the longest rest after one piece */
  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  /** Resolves when the next piece may begin. */
  async rest(tookMs: number): Promise<void> {
    const since = performance.eventLoopUtilization(this.#reading);
    if (since.idle + since.active >= readingMs) {
      this.#reading = performance.eventLoopUtilization();
      this.#share = Math.max(shares.least, Math.min(shares.most, ofIdle * (1 - since.utilization - spare)));
    }
    const now = performance.now();
    this.#restedAt = Math.max(this.#restedAt, now) + Math.min(this.#longestMs, tookMs * (1 / this.#share - 1));
    await pause(this.#restedAt - now, this.#ended.signal);
  }

  /** From now on nothing rests, so that what is under way ends soon. */
  end(): void {
    this.#ended.abort();
  }
}
