import { maxRemembered } from './constants.js';

/** What a tenant, or one of its workspaces, has used of a resource, and how much of its work waits for it. */
export interface Share {
  readonly name: string;
  /** Milliseconds of the resource that it has used. One that had no work for a while is set to what the others have used. */
  usedMs: number;
  /** How many items wait. */
  count: number;
  /** The sum of their expected milliseconds. */
  weight: number;
}

/**
 * Shares in the order in which they are served: the share that has used the resource for the least time is first, and of equal
 * ones the share that has waited longest. A share that comes anew begins with what the others have used, so that nobody saves
 * up time. What a share has used more than the others is remembered, up to a limit.
 */
export class Shares<S extends Share> {
  /** The shares with waiting work, the one that has used the least time first. */
  readonly order: S[] = [];
  /** The same by their names, and shares that had work before. */
  readonly #shares = new Map<string, S>();
  readonly #maxLeadMs: number;
  /** What the share that was served last had used before it was served: new shares begin there. */
  #levelMs = 0;

  constructor(maxLeadMs: number) {
    this.#maxLeadMs = maxLeadMs;
  }

  find(name: string): S | undefined {
    return this.#shares.get(name);
  }

  /** Adds a share that is not known, or was forgotten. It begins with what the others have used. */
  add(share: S): S {
    if (this.#shares.size >= maxRemembered + this.order.length) this.#forgetLeast();
    share.usedMs = this.#levelMs;
    this.#shares.set(share.name, share);
    return share;
  }

  /** An item of that weight waits now. */
  enqueued(share: S, weight: number): void {
    if (share.count === 0) {
      share.usedMs = Math.max(share.usedMs, this.#levelMs);
      this.#insert(share);
    }
    share.count++;
    share.weight += weight;
  }

  /** So many waiting items were taken to be done: the share is charged with what they are expected to take. */
  served(share: S, count: number, weight: number): void {
    // A share that was passed over for long is served first now, but only once: the level does not go back to it.
    this.#levelMs = Math.max(share.usedMs, this.#levelMs);
    this.order.splice(this.order.indexOf(share), 1);
    this.#use(share, weight);
    this.#takeOff(share, count, weight);
    if (share.count > 0) this.#insert(share);
  }

  /** So many waiting items were taken out, and are not done. */
  withdrawn(share: S, count: number, weight: number): void {
    this.#takeOff(share, count, weight);
    if (share.count === 0) this.order.splice(this.order.indexOf(share), 1);
  }

  charge(share: S, ms: number): void {
    this.#use(share, ms);
    if (share.count === 0) return;
    this.order.splice(this.order.indexOf(share), 1);
    this.#insert(share);
  }

  /** Forgets the share that has used the least time of those without waiting work: it loses nothing by that. */
  #forgetLeast(): void {
    let least: S | undefined;
    for (const share of this.#shares.values()) {
      if (share.count > 0 || (least !== undefined && share.usedMs >= least.usedMs)) continue;
      least = share;
      if (share.usedMs <= this.#levelMs) break;
    }
    if (least !== undefined) this.#shares.delete(least.name);
  }

  #use(share: S, ms: number): void {
    share.usedMs = Math.min(Math.max(share.usedMs, this.#levelMs) + ms, this.#levelMs + this.#maxLeadMs);
  }

  #takeOff(share: S, count: number, weight: number): void {
    share.count -= count;
    share.weight = share.count === 0 ? 0 : share.weight - weight;
  }

  /** Puts it behind the shares that have used as much. */
  #insert(share: S): void {
    let low = 0;
    let high = this.order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.order[middle] as S).usedMs <= share.usedMs) low = middle + 1;
      else high = middle;
    }
    this.order.splice(low, 0, share);
  }
}

/** The share with the most waiting items. */
export const longest = <S extends Share>(shares: readonly S[]): S | undefined =>
  shares.reduce<S | undefined>(
    (most, share) => (most === undefined || share.count > most.count ? share : most),
    undefined,
  );
