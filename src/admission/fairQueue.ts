import { maxRemembered, maxSearched } from './constants.js';

/** The work of one workspace. */
interface Share<T> {
  readonly workspaceId: string;
  /** The workspace's items, the next one first. */
  waiting: T[];
  /** What the waiting work weighs. */
  weight: number;
  /** Milliseconds of the resource that it has used, or as much as the others where it had no work meanwhile. */
  usedMs: number;
}

/** What is taken at once. */
export interface TakeRules<T> {
  /** Pieces of work at most, by the first. */
  readonly most: (first: T) => number;
  /** Whether a piece is taken without others. */
  readonly alone: (item: T) => boolean;
  /** Whether a piece may be taken at present; others of its workspace overtake one that may not. */
  readonly may: (item: T) => boolean;
}

/**
 * Work that waits for one resource. Next is the workspace that has used the resource for the least time, and of several
 * the one that has waited longest; within a workspace the first that came. A workspace that comes anew begins with what
 * the others have used, so that nobody saves up time. What one has used more than the others is remembered, up to a limit.
 */
export class FairQueue<T> {
  /** Shares of all workspaces with waiting work, and of some that had work before. */
  readonly #shares = new Map<string, Share<T>>();
  /** The workspaces with waiting work, the one that has used the least time first. */
  readonly #order: Share<T>[] = [];
  readonly #maxLeadMs: number;
  readonly #weigh: (item: T) => number;
  /** What the workspace that was served last had used before. */
  #levelMs = 0;
  #size = 0;

  /**
   * @param maxLeadMs how much more than others a workspace has used at most, as it counts
   * @param weigh the expected milliseconds of an item, which do not change while it waits; they are charged when it is taken
   */
  constructor(maxLeadMs: number, weigh: (item: T) => number = () => 0) {
    this.#maxLeadMs = maxLeadMs;
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#size;
  }

  /** How many items of one workspace wait. */
  sizeOf(workspaceId: string): number {
    return this.#shares.get(workspaceId)?.waiting.length ?? 0;
  }

  /** The sum of their weights. */
  weightOf(workspaceId: string): number {
    return this.#shares.get(workspaceId)?.weight ?? 0;
  }

  /** Workspaces that have waiting work. */
  get workspaces(): number {
    return this.#order.length;
  }

  /**
   * An estimate of what is served before new work of that workspace: its own, and of every other workspace as much and what
   * it has at once, as if all work took equally long; never more than all that waits.
   * @param atOnce how many items are taken at once
   */
  ahead(workspaceId: string, atOnce: number): number {
    const own = this.sizeOf(workspaceId);
    const others = this.#order.length - (own > 0 ? 1 : 0);
    return Math.min(this.#size, own + others * (own + atOnce));
  }

  /** @param overtakes whether it goes before that item of its workspace */
  push(workspaceId: string, item: T, overtakes?: (other: T) => boolean): void {
    const share = this.#shares.get(workspaceId) ?? this.#newShare(workspaceId);
    const { waiting } = share;
    if (waiting.length === 0) {
      share.usedMs = Math.max(share.usedMs, this.#levelMs);
      this.#insert(share);
    }
    const at = overtakes === undefined ? -1 : waiting.findIndex(overtakes);
    if (at === -1) waiting.push(item);
    else waiting.splice(at, 0, item);
    share.weight += this.#weigh(item);
    this.#size++;
  }

  /** The first work that may be taken of the next workspace that has some, removed; empty where none has. */
  take({ most, alone, may }: TakeRules<T>): T[] {
    for (let at = 0; at < this.#order.length; at++) {
      const share = this.#order[at] as Share<T>;
      const { waiting } = share;
      const from = waiting.findIndex((item, index) => index === maxSearched || may(item));
      const first = waiting[from];
      if (first === undefined || from === maxSearched) continue;
      const count = alone(first) ? 1 : most(first);
      const others = waiting.slice(from + 1, from + count);
      const end = others.findIndex((item) => !may(item) || alone(item));
      const taken = waiting.splice(from, end === -1 ? count : end + 1);
      this.#order.splice(at, 1);
      // One that was passed over for long is served first now, but only once.
      this.#levelMs = Math.max(share.usedMs, this.#levelMs);
      this.#add(share, this.#forget(share, taken));
      if (waiting.length > 0) this.#insert(share);
      return taken;
    }
    return [];
  }

  /** Counts so many milliseconds more as used, beyond what was charged when the work was taken. */
  charge(workspaceId: string, ms: number): void {
    if (ms === 0) return;
    const share = this.#shares.get(workspaceId) ?? this.#newShare(workspaceId);
    this.#add(share, ms);
    if (share.waiting.length === 0) return;
    this.#order.splice(this.#order.indexOf(share), 1);
    this.#insert(share);
  }

  /** How many items match. Looks at everything that waits. */
  count(matches: (item: T) => boolean): number {
    let count = 0;
    for (const { waiting } of this.#order) for (const item of waiting) if (matches(item)) count++;
    return count;
  }

  /** Removes and returns all items that match. Looks at everything that waits. */
  extract(matches: (item: T) => boolean): T[] {
    const extracted: T[] = [];
    for (const share of [...this.#order]) {
      const taken: T[] = [];
      const kept: T[] = [];
      for (const item of share.waiting) (matches(item) ? taken : kept).push(item);
      share.waiting = kept;
      if (kept.length === 0) this.#order.splice(this.#order.indexOf(share), 1);
      this.#forget(share, taken);
      extracted.push(...taken);
    }
    return extracted;
  }

  #newShare(workspaceId: string): Share<T> {
    if (this.#shares.size >= maxRemembered + this.#order.length) this.#forgetLeast();
    const share = { workspaceId, waiting: [], weight: 0, usedMs: this.#levelMs };
    this.#shares.set(workspaceId, share);
    return share;
  }

  /** Of the workspaces without waiting work, the one that has used the least time: it loses nothing by being forgotten. */
  #forgetLeast(): void {
    let least: Share<T> | undefined;
    for (const share of this.#shares.values()) {
      if (share.waiting.length > 0 || (least !== undefined && share.usedMs >= least.usedMs)) continue;
      least = share;
      if (share.usedMs <= this.#levelMs) break;
    }
    if (least !== undefined) this.#shares.delete(least.workspaceId);
  }

  #add(share: Share<T>, ms: number): void {
    share.usedMs = Math.min(Math.max(share.usedMs, this.#levelMs) + ms, this.#levelMs + this.#maxLeadMs);
  }

  /** Behind those that have used as much. */
  #insert(share: Share<T>): void {
    let low = 0;
    let high = this.#order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#order[middle] as Share<T>).usedMs <= share.usedMs) low = middle + 1;
      else high = middle;
    }
    this.#order.splice(low, 0, share);
  }

  /** Gives what they weighed. */
  #forget(share: Share<T>, removed: readonly T[]): number {
    this.#size -= removed.length;
    let weight = 0;
    for (const item of removed) weight += this.#weigh(item);
    share.weight = share.waiting.length === 0 ? 0 : share.weight - weight;
    return weight;
  }
}
