import { createHash, randomBytes } from 'node:crypto';
import { BoundedCounts } from './boundedCounts.js';

/** A value is shown and kept only where so many executions had it: a rarer one could tell who a person is. */
const shownFrom = 5;

/**
 * A row (a JSON object) with the number of executions that had it, and how many of these may have been erased since. A row
 * of few executions has a hash in place of its values.
 */
export type KeptRow = readonly [row: string, count: number, erased?: number];

export const isShown = (count: number, erased = 0): boolean => count - erased >= shownFrom;

/** The hash of a text, salted so that nobody can try values against it. */
const saltedHash = (text: string, salt: string): string =>
  createHash('sha256').update(salt).update(text).digest('hex').slice(0, 32);

export const newSalt = (): string => randomBytes(16).toString('hex');

/** The row with a hash in place of its values. Its pointer stays. */
export function hidden(row: string, salt: string): string {
  const { pointer } = JSON.parse(row) as { readonly pointer?: string };
  return JSON.stringify({ pointer, hash: saltedHash(row, salt) });
}

/** Whether a row has a hash in place of its values: no other row ends so. */
export const isHidden = (row: string): boolean => /"hash":"[0-9a-f]{32}"\}$/.test(row);

/**
 * Counts rows in bounded memory. Of a row with fewer executions than may be shown only its hash leaves this class: what is
 * stored then holds no value of a single person, and need not be searched when that person's executions are erased.
 */
export class AnonymousCounts {
  /** Rows by their texts, and by their hashes where these are all that was kept. */
  readonly #counts = new BoundedCounts();
  readonly #erased = new Map<string, number>();
  readonly #salt: string;
  #hasHidden = false;

  constructor(salt: string, kept: readonly KeptRow[] = []) {
    this.#salt = salt;
    for (const [row, count, erased = 0] of kept) {
      this.#counts.add(row, count);
      if (erased > 0) this.#erased.set(row, erased);
      this.#hasHidden ||= isHidden(row);
    }
  }

  add(row: string, count: number): void {
    if (this.#hasHidden && !isHidden(row)) this.#reveal(row);
    this.#counts.add(row, count);
  }

  /** Moves the count of the row's hash to the row itself, now that its values are known again. */
  #reveal(row: string): void {
    const hash = hidden(row, this.#salt);
    const count = this.#counts.take(hash);
    if (count === 0) return;
    this.#counts.add(row, count);
    const erased = this.#erased.get(hash) ?? 0;
    this.#erased.delete(hash);
    if (erased > 0) this.#erased.set(row, erased);
  }

  /** All rows with their values, for other counts in the same process. */
  entries(): (readonly [row: string, count: number])[] {
    return this.#counts.entries();
  }

  /** As they may be kept and shown, the most frequent first. */
  toJSON(): KeptRow[] {
    const rows = this.#counts.entries().map(([row, count]): KeptRow => {
      const erased = this.#erased.get(row) ?? 0;
      const kept = isHidden(row) || isShown(count, erased) ? row : hidden(row, this.#salt);
      return erased === 0 ? [kept, count] : [kept, count, erased];
    });
    // Rows with the same count are sorted by their hashes: the order of their values would tell something of the values.
    return rows.sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  }
}

/** A row as reports show it. They are JSON already, with numbers that doubles would change. */
export const shownRow = ([row, count, erased = 0]: KeptRow): string =>
  `${row.slice(0, -1)},"count":${count}${erased > 0 ? `,"erased":${erased}` : ''}}`;
