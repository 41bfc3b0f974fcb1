import { Recent } from '../../workers/recent/index.js';

/** Most sizes that are remembered; evicted ones are learnt again. */
const maxRemembered = 10_000;
/** Bytes of what was never seen before. */
const firstBytes = 16 * 1024;
/** Weight of a smaller size in the moving average; a larger one counts fully at once. */
const newestWeight = 1 / 8;

/**
 * Recent sizes of answers. That much is reserved before the work, because once an answer's size is known it is too late to
 * refuse it.
 */
export class ExpectedBytes {
  readonly #recent = new Recent<number>({ maxCount: maxRemembered });
  readonly #maxBytes: number;

  /** @param maxBytes that are expected at most, so that who has large answers is not refused for ever */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @param leastBytes that are expected in any case, up to the most */
  of(key: string, leastBytes = 0): number {
    return Math.min(Math.max(this.#recent.get(key) ?? firstBytes, leastBytes), this.#maxBytes);
  }

  learn(key: string, bytes: number): void {
    const recent = this.#recent.get(key) ?? 0;
    this.#recent.set(key, Math.max(bytes, recent + (bytes - recent) * newestWeight));
  }
}
