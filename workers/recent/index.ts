import { LRUCache } from 'lru-cache';

interface Entry<T> {
  readonly value: T;
  readonly owner: string;
  weight: number;
}

/** What one owner has. */
interface Share {
  count: number;
  weight: number;
}

interface Bounds {
  readonly maxCount: number;
  /** Of all values together. Left out where their number bounds them well enough. */
  readonly maxWeight?: number;
  /** By default one owner may have as much as all together. */
  readonly maxWeightOfOwner?: number;
}

/**
 * The most recently used values by key, bounded by their number and by their weight. Where there are too many, the owners that
 * have most of them lose their least recently used ones; an owner with less than an equal share loses nothing to others. The
 * value that was set or has grown last is not evicted; one that weighs more than all may is never kept.
 */
export class Recent<T> {
  readonly #entries: LRUCache<string, Entry<T>>;
  readonly #bounds: Required<Bounds>;
  readonly #shares = new Map<string, Share>();
  #weight = 0;

  constructor({ maxCount, maxWeight = Infinity, maxWeightOfOwner = maxWeight }: Bounds) {
    this.#bounds = { maxCount, maxWeight, maxWeightOfOwner };
    // The library keeps the order of use. It never evicts by itself, and is not told how many there may be: it would fill so many
    // places in advance, an eighth of what a server's start takes of the processor, and 15 MB.
    this.#entries = new LRUCache({ maxSize: Number.MAX_SAFE_INTEGER, sizeCalculation: () => 1 });
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Of all values. */
  get weight(): number {
    return this.#weight;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key)?.value;
  }

  /** As `get`, but no use of the value: it stays as near to its eviction as it is. */
  peek(key: string): T | undefined {
    return this.#entries.peek(key)?.value;
  }

  /** The most recently used first. */
  *values(): Generator<T> {
    for (const { value } of this.#entries.values()) yield value;
  }

  /** @param owner whose values are evicted first where its own are too many: a tenant, or a workspace of it */
  set(key: string, value: T, weight = 1, owner = ''): void {
    if (weight > this.#bounds.maxWeight) {
      this.delete(key);
      return;
    }
    const before = this.#entries.peek(key);
    const entry = { value, owner, weight: 0 };
    // In place of the one before: the library empties all of its places when its last key is deleted, which takes 20 us for 10,000.
    this.#entries.set(key, entry);
    this.#shareOf(owner).count++;
    if (before !== undefined) this.#leave(before);
    this.#add(entry, weight);
    this.#evictFor(entry);
  }

  /** Adds to a value's weight and evicts others where necessary; does nothing where the value is not kept. */
  grow(key: string, weight: number): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#add(entry, weight);
    this.#evictFor(entry);
  }

  delete(key: string): void {
    const entry = this.#entries.peek(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#leave(entry);
  }

  clear(): void {
    this.#entries.clear();
    this.#shares.clear();
    this.#weight = 0;
  }

  #shareOf(owner: string): Share {
    let share = this.#shares.get(owner);
    if (share === undefined) this.#shares.set(owner, (share = { count: 0, weight: 0 }));
    return share;
  }

  #add(entry: Entry<T>, weight: number): void {
    entry.weight += weight;
    this.#weight += weight;
    this.#shareOf(entry.owner).weight += weight;
  }

  /** Takes an entry that is kept no more from the sums. */
  #leave(entry: Entry<T>): void {
    this.#add(entry, -entry.weight);
    const share = this.#shareOf(entry.owner);
    if (--share.count === 0) this.#shares.delete(entry.owner);
  }

  /** Evicts until the bounds are kept. */
  #evictFor(newest: Entry<T>): void {
    const { maxCount, maxWeight, maxWeightOfOwner } = this.#bounds;
    const own = this.#shareOf(newest.owner);
    if (this.size <= maxCount && this.#weight <= maxWeight && own.weight <= maxWeightOfOwner) return;
    const count = this.size > maxCount ? withSpare(maxCount) : maxCount;
    const weight = this.#weight > maxWeight ? withSpare(maxWeight) : maxWeight;
    const ofOwner = own.weight > maxWeightOfOwner ? withSpare(maxWeightOfOwner) : maxWeightOfOwner;
    const shares = [...this.#shares.values()];
    const equalCount = equalShare(count, (each: Share) => each.count, shares);
    const equalWeight = Math.min(
      ofOwner,
      equalShare(weight, (each: Share) => each.weight, shares),
    );
    for (const key of [...this.#entries.rkeys()]) {
      if (this.size <= count && this.#weight <= weight && own.weight <= ofOwner) return;
      const entry = this.#entries.peek(key);
      if (entry === undefined || entry === newest) continue;
      const share = this.#shareOf(entry.owner);
      if (share.count > equalCount || share.weight > equalWeight) this.delete(key);
    }
  }
}

/** The search goes over all keys: where they are many, it makes room for many. */
const withSpare = (bound: number): number =>
  bound > 1000 && bound < Infinity ? bound - Math.floor(bound / 16) : bound;

/**
 * The most that one may have of `all`: a share below it stays as it is, and all larger ones become equal.
 */
function equalShare(all: number, amountOf: (share: Share) => number, shares: readonly Share[]): number {
  let left = all;
  const ascending = shares.map(amountOf).sort((one, other) => one - other);
  for (const [index, amount] of ascending.entries()) {
    const share = left / (ascending.length - index);
    if (amount > share) return share;
    left -= amount;
  }
  return Infinity;
}
