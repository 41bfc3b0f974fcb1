import { after } from '../clock/timers.js';
import { messageMs } from './constants.js';

/** A caller that waits until there is room in a quota. */
interface Waiter {
  readonly tenantId: string;
  readonly hasRoom: () => boolean;
  /** When it is refused; `Infinity` for never. */
  readonly until: number;
  /** Whether the caller has left. */
  readonly gone: () => boolean;
  readonly begin: () => void;
  readonly refuse: () => void;
}

/** How often waiters that have waited for too long, or have left, are looked for, in milliseconds. */
const lookMs = 5 * messageMs;

/**
 * The callers that wait for room in a quota. Of those for whom there is room, the one that has waited longest begins first. One tenant
 * may have hundreds of them, so they are all looked at once in a round of the event loop, not at each change.
 */
export class Waiters {
  readonly #waiting = new Set<Waiter>();
  #offersSoon = false;
  #looksSoon = false;
  #isOver = false;

  /** Has it begin at once where there is room, unless room that was just given back is about to be offered to earlier waiters. */
  add(waiter: Waiter): void {
    if (!this.#offersSoon && waiter.hasRoom()) waiter.begin();
    else if (this.#isOver) waiter.refuse();
    else {
      this.#waiting.add(waiter);
      if (waiter.until < Infinity) this.#lookSoon();
    }
  }

  /** Offers the room to waiters, in the next round of the event loop. To be called when something was given back. */
  offerSoon(): void {
    if (this.#offersSoon || this.#waiting.size === 0) return;
    this.#offersSoon = true;
    setImmediate(() => {
      this.#offersSoon = false;
      for (const waiter of this.#waiting) if (waiter.hasRoom()) this.#end(waiter, waiter.begin);
    });
  }

  /** Refuses all waiters, and later ones that find no room. */
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
    // Timers run before messages are read: what has arrived meanwhile goes first.
    after(lookMs, () => setImmediate(() => this.#look()));
  }

  /**
   * Refuses all that have left, and of each tenant one that has waited for too long. No more of a tenant, because clients that are
   * refused come again at once: hundreds of them in one round of the event loop would keep everybody else waiting.
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
