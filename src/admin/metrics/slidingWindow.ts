import { millisecondsAt, QuantileSketch } from '../../../workers/sketch/index.js';

/** How long one window lasts; quantiles cover the present window and the one before. */
const windowMs = 30_000;

/** Median and 99th percentile in milliseconds; 0 when nothing was recorded in that time. */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
}

/** Quantiles of the durations of the last 30 to 60 seconds. */
export class SlidingWindow {
  #present = new QuantileSketch();
  #previous = new QuantileSketch();
  #windowEnd = 0;

  /** @param now milliseconds of a clock that never goes back, the same for every call */
  record(durationMs: number, now: number): void {
    this.#rotate(now);
    this.#present.record(Math.round(durationMs * 1000));
  }

  quantiles(now: number): Quantiles {
    this.#rotate(now);
    const both = new QuantileSketch(this.#previous.toJSON());
    both.merge(this.#present.toJSON());
    return { p50: millisecondsAt(both, 0.5) ?? 0, p99: millisecondsAt(both, 0.99) ?? 0 };
  }

  #rotate(now: number): void {
    if (now < this.#windowEnd) return;
    this.#previous = now < this.#windowEnd + windowMs ? this.#present : new QuantileSketch();
    this.#present = new QuantileSketch();
    this.#windowEnd = now + windowMs;
  }
}
