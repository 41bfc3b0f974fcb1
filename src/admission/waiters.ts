import { after } from '../clock/timers.js';
import { messageMs } from './constants.js';

/** Who waits until there is room. */
export interface Waiter {
  readonly tenantId: string;
  readonly hasRoom: () => boolean;
  /** When it is refused; `Infinity` for never. */
  readonly until: number;
  /** Whether nobody wants it any more. */
  readonly gone: () => boolean;
  readonly begin: () => void;
  readonly refuse: () => void;
}

/** How often it is looked whether somebody has waited for too long, in milliseconds. */
const lookMs = 5 * messageMs;

/**
 * All who wait for room in a quota: of those for whom there is, who has waited longest is first. They may be hundreds, of one tenant, so
 * what is done for all of them is done once in a turn of the event loop.
 */
export class Waiters {
  readonly #waiting = new Set<Waiter>();
  #offersSoon = false;
  #looksSoon = false;
  #isOver = false;

  /** Has it begin at once where there is room, and nobody is about to be offered what was given back. */
  add(waiter: Waiter): void {
    if (!this.#offersSoon && waiter.hasRoom()) waiter.begin();
    else if (this.#isOver) waiter.refuse();
    else {
      this.#waiting.add(waiter);
      if (waiter.until < Infinity) this.#lookSoon();
    }
  }

  /** To be called when something is given back. */
  offerSoon(): void {
    if (this.#offersSoon || this.#waiting.size === 0) return;
    this.#offersSoon = true;
    setImmediate(() => {
      this.#offersSoon = false;
      for (const waiter of this.#waiting) if (waiter.hasRoom()) this.#end(waiter, waiter.begin);
    });
  }

  /** Refuses all, and whoever comes and finds no room. */
  end(): void {
    this.#isOver = true;
    for (const waiter of this.#waiting) this.#end(waiter, waiter.refuse);
  }

  #end(waiter: Waiter, by: () => void): void {
    this.#waiting.delete(waiter);
    by();
  }

  #lookSoon(): void {
    if (this.#looksSoon) return;
    this.#looksSoon = true;
    // In a turn of its own, after what has arrived.
    after(lookMs, () => setImmediate(() => this.#look()));
  }

  /**
   * Refuses those who have left, and of each tenant the first of those who have waited for too long: whoever is refused comes again at
   * once, and hundreds of them in one turn of the event loop would have everybody else wait.
   */
  #look(): void {
    this.#looksSoon = false;
    const now = performance.now();
    const refused = new Set<string>();
    for (const waiter of this.#waiting) {
      const isLate = waiter.until <= now && !refused.has(waiter.tenantId);
      if (isLate) refused.add(waiter.tenantId);
      if (isLate || waiter.gone()) this.#end(waiter, waiter.refuse);
    }
    if ([...this.#waiting].some(({ until }) => until < Infinity)) this.#lookSoon();
  }
}
