interface CountBounds {
  /** Texts that are counted at once. */
  readonly texts: number;
  /** Characters of all of them together. */
  readonly length: number;
  /** Characters of one text; a longer one is not counted. */
  readonly longest: number;
}

const usual: CountBounds = { texts: 1000, length: 256 * 1024, longest: 4096 };

/**
 * Counts texts in bounded memory. Exact while they are few; when there are too many, the rarer half is forgotten, so that
 * from then on the counts of rare ones are too low, and those of frequent ones nearly right.
 */
export class BoundedCounts {
  #counts: Map<string, number>;
  #length = 0;
  #forgotten = 0;
  readonly #bounds: CountBounds;

  constructor(entries: Iterable<readonly [string, number]> = [], bounds = usual) {
    this.#bounds = bounds;
    this.#counts = new Map();
    for (const [text, count] of entries) this.add(text, count);
  }

  /** How often texts were added that are not counted any more. */
  get forgotten(): number {
    return this.#forgotten;
  }

  add(text: string, count: number): void {
    const known = this.#counts.get(text);
    if (known !== undefined) {
      this.#counts.set(text, known + count);
      return;
    }
    const { texts, length, longest } = this.#bounds;
    if (text.length > longest) {
      this.#forgotten += count;
      return;
    }
    this.#counts.set(text, count);
    this.#length += text.length;
    if (this.#counts.size > texts || this.#length > length) this.#forget();
  }

  /** Subtracts one from the count of a text. False where it is not counted. */
  remove(text: string): boolean {
    const known = this.#counts.get(text);
    if (known === undefined) return false;
    if (known > 1) this.#counts.set(text, known - 1);
    else {
      this.#counts.delete(text);
      this.#length -= text.length;
    }
    return true;
  }

  /** Removes a text and gives its count; 0 where it is not counted. */
  take(text: string): number {
    const known = this.#counts.get(text) ?? 0;
    if (this.#counts.delete(text)) this.#length -= text.length;
    return known;
  }

  /** The most frequent first; texts in their own order where they are as frequent. */
  entries(): (readonly [text: string, count: number])[] {
    return [...this.#counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  }

  #forget(): void {
    // Where they are as frequent, those stay that came first.
    const all = [...this.#counts].sort(([, one], [, other]) => other - one);
    const kept = all.slice(0, Math.ceil(all.length / 2));
    for (const [, count] of all.slice(kept.length)) this.#forgotten += count;
    this.#counts = new Map(kept);
    this.#length = kept.reduce((sum, [text]) => sum + text.length, 0);
  }
}
