/** The most recently used values by id, bounded by their number and by their weight; the newest stays however heavy. */
export class Recent<T> {
  readonly #entries = new Map<string, { readonly value: T; readonly weight: number }>();
  readonly #maxCount: number;
  readonly #maxWeight: number;
  #weight = 0;

  constructor({ maxCount, maxWeight }: { readonly maxCount: number; readonly maxWeight: number }) {
    this.#maxCount = maxCount;
    this.#maxWeight = maxWeight;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(id: string): T | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    // A Map keeps the order of insertion: the last is the most recent.
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry.value;
  }

  set(id: string, value: T, weight: number): void {
    this.#delete(id);
    this.#entries.set(id, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      const fits = this.#entries.size <= this.#maxCount && this.#weight <= this.#maxWeight;
      if (fits || this.#entries.size === 1) return;
      this.#delete(oldest);
    }
  }

  #delete(id: string): void {
    this.#weight -= this.#entries.get(id)?.weight ?? 0;
    this.#entries.delete(id);
  }
}
