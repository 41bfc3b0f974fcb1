/** Texts that are counted at most, and their characters together; one that is longer than that is not counted. */
const maxTexts = 1000;
const maxLength = 256 * 1024;
const longest = 4096;

/**
 * Counts texts in bounded memory. Exact while they are few; when there are too many, the rarer half is forgotten, so that
 * from then on the counts of rare ones are too low, and those of frequent ones nearly right.
 */
export class BoundedCounts {
  #counts: Map<string, number>;
  #length = 0;

  constructor(entries: Iterable<readonly [string, number]> = []) {
    this.#counts = new Map();
    for (const [text, count] of entries) this.add(text, count);
  }

  add(text: string, count: number): void {
    const known = this.#counts.get(text);
    this.#counts.set(text, (known ?? 0) + count);
    if (known !== undefined) return;
    if (text.length > longest) {
      this.#counts.delete(text);
      return;
    }
    this.#length += text.length;
    if (this.#counts.size > maxTexts || this.#length > maxLength) this.#forget();
  }

  /** The most frequent first; texts in their own order where they are as frequent. */
  entries(): (readonly [text: string, count: number])[] {
    return [...this.#counts].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  }

  #forget(): void {
    const kept = this.entries().slice(0, Math.ceil(this.#counts.size / 2));
    this.#counts = new Map(kept);
    this.#length = kept.reduce((sum, [text]) => sum + text.length, 0);
  }
}
