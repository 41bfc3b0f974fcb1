import { Recent } from '../../workers/recent/index.js';

/** How many at once, and how many more become free each second. */
interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** A key that is evicted may have a whole burst again. */
const maxKeys = 20_000;

/**
 * Limits how often something may be done, by key, in this process (generic cell rate algorithm). A rate may change from one
 * call to the next.
 */
export class Limiter {
  readonly #now: () => number;
  /** When all that was taken of a key will have become free again, by `now`. */
  readonly #freeAt = new Recent<number>({ maxCount: maxKeys });

  /** @param now milliseconds of a clock that never goes back */
  constructor(now = (): number => performance.now()) {
    this.#now = now;
  }

  /** Milliseconds until one may be taken; 0 where one may be now. Takes none. */
  waitMs(key: string, rate: Rate): number {
    const time = this.#now();
    return Math.max(0, this.#takenUntil(key, rate, time) - time - (rate.burst - 1) * intervalOf(rate));
  }

  /**
   * Takes one: 0 where there was one, else the milliseconds until there is.
   * @param owner loses its own keys first where there are too many: a caller that makes up keys has none of others forgotten
   */
  take(key: string, rate: Rate, owner?: string): number {
    const waitMs = this.waitMs(key, rate);
    if (waitMs === 0) this.#freeAt.set(key, this.#takenUntil(key, rate, this.#now()) + intervalOf(rate), 1, owner);
    return waitMs;
  }

  /** Gives back one that was taken. */
  giveBack(key: string, rate: Rate): void {
    const freeAt = this.#freeAt.peek(key);
    if (freeAt !== undefined) this.#freeAt.set(key, freeAt - intervalOf(rate));
  }

  /** Bounded above for a limit that was lowered meanwhile. */
  #takenUntil(key: string, rate: Rate, time: number): number {
    return Math.min(Math.max(this.#freeAt.get(key) ?? 0, time), time + rate.burst * intervalOf(rate));
  }
}

const intervalOf = ({ perSecond }: Rate): number => 1000 / perSecond;
