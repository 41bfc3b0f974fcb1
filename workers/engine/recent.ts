interface Entry<T> {
  readonly value: T;
  readonly owner: string;
  weight: number;
}

/** Limits of the cache. By default one owner may have as much as all together. */
export interface Bounds {
  readonly maxCount: number;
  readonly maxWeight: number;
  readonly maxWeightOfOwner?: number;
}

/**
 * The most recently used values by id, bounded by their number and by their weight, in all and by owner. The value that
 * was set or has grown last is never evicted.
 */
export class Recent<T> {
  readonly #entries = new Map<string, Entry<T>>();
  readonly #bounds: Required<Bounds>;
  readonly #weights = new Map<string, number>();
  #weight = 0;
  /** The most recent id; it is the last of the entries already. */
  #latest: string | undefined;

  constructor(bounds: Bounds) {
    this.#bounds = { maxWeightOfOwner: bounds.maxWeight, ...bounds };
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Of all values. */
  get weight(): number {
    return this.#weight;
  }

  get(id: string): T | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    // A Map keeps the order of insertion: the last is the most recent. Moving it leaves garbage that only a collection of the
    // whole heap frees, so it is done where the order changes.
    if (id !== this.#latest) {
      this.#entries.delete(id);
      this.#put(id, entry);
    }
    return entry.value;
  }

  set(id: string, value: T, weight: number, owner = ''): void {
    this.#delete(id);
    this.#put(id, { value, owner, weight: 0 });
    this.grow(id, weight);
  }

  /** Adds to a value's weight and evicts others where necessary; does nothing where the value is not kept. */
  grow(id: string, weight: number): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#add(entry, weight);
    const { maxCount, maxWeight, maxWeightOfOwner } = this.#bounds;
    for (const [other, { owner }] of this.#entries) {
      const isOwnerOver = (this.#weights.get(entry.owner) ?? 0) > maxWeightOfOwner;
      const isOver = this.#entries.size > maxCount || this.#weight > maxWeight;
      if (!isOver && !isOwnerOver) return;
      if (other !== id && (isOver || owner === entry.owner)) this.#delete(other);
    }
  }

  #put(id: string, entry: Entry<T>): void {
    this.#entries.set(id, entry);
    this.#latest = id;
  }

  #add(entry: Entry<T>, weight: number): void {
    entry.weight += weight;
    this.#weight += weight;
    const ofOwner = (this.#weights.get(entry.owner) ?? 0) + weight;
    if (ofOwner > 0) this.#weights.set(entry.owner, ofOwner);
    else this.#weights.delete(entry.owner);
  }

  #delete(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#add(entry, -entry.weight);
    this.#entries.delete(id);
  }
}
