import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

/** How long one window lasts; quantiles cover the present window and the one before. */
const windowMs = 30_000;

/** Median and 99th percentile in milliseconds; 0 when nothing was recorded in that time. */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

/**
 * In microseconds, up to 18 minutes, to three significant digits. Each takes 170 KB that V8 does not know of, and does not
 * collect in time, so none is made after the start.
 */
const empty = (): RecordableHistogram => createHistogram({ lowest: 1, highest: 2 ** 30, figures: 3 });

/** Quantiles of the last 30 to 60 seconds, in constant memory. */
export class RecentHistogram {
  #present = empty();
  #previous = empty();
  readonly #both = empty();
  #windowEnd = 0;

  /** `now` is any monotonic clock in milliseconds, the same for every call. */
  record(durationMs: number, now: number): void {
    this.#rotate(now);
    this.#present.record(Math.min(2 ** 30, Math.max(1, Math.round(durationMs * 1000))));
  }

  quantiles(now: number): Quantiles {
    this.#rotate(now);
    const both = this.#both;
    both.reset();
    both.add(this.#previous);
    both.add(this.#present);
    const quantile = (percent: number): number => (both.count === 0 ? 0 : both.percentile(percent) / 1000);
    return { p50: quantile(50), p99: quantile(99) };
  }

  #rotate(now: number): void {
    if (now < this.#windowEnd) return;
    [this.#present, this.#previous] = [this.#previous, this.#present];
    this.#present.reset();
    if (now >= this.#windowEnd + windowMs) this.#previous.reset();
    this.#windowEnd = now + windowMs;
  }
}
