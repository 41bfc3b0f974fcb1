import type { Dimension } from './dimension.js';
import { membersOf, type Ranges } from './ranges.js';
import type { RowBox } from './tableBoxes.js';

/** What the rows of a table say of one dimension, as numbers: thousands of rows are compared with thousands of others. */
export interface Column {
  readonly dimension: number;
  readonly all: Ranges;
  readonly sets: readonly Ranges[];
  /** The first and the last atom of each row. */
  readonly firsts: Int32Array;
  readonly lasts: Int32Array;
  /** 1 where the row has all between them. */
  readonly isWhole: Uint8Array;
  /** 1 where the row says nothing. */
  readonly isAll: Uint8Array;
  /** Where some row has gaps between them, as a list of texts has, and there are few enough atoms. */
  readonly members: Members | undefined;
  /** How many sets there are. */
  readonly distinct: number;
}

/** @param rows none of them empty */
export function columnsOf(rows: readonly RowBox[], dimensions: readonly Dimension[]): Column[] {
  return dimensions.map(({ all }, dimension) => {
    const sets = rows.map(({ may }) => may[dimension] ?? []);
    const isWhole = Uint8Array.from(sets, ({ length }) => (length === 2 ? 1 : 0));
    return {
      dimension,
      all,
      sets,
      firsts: Int32Array.from(sets, (set) => set[0] ?? 0),
      lasts: Int32Array.from(sets, (set) => set.at(-1) ?? 0),
      isWhole,
      isAll: Uint8Array.from(sets, (set) => (set === all ? 1 : 0)),
      members: isWhole.includes(0) ? Members.of(sets, all.length === 0 ? 0 : (all[1] ?? 0) + 1) : undefined,
      distinct: new Set(sets).size,
    };
  });
}

/** Numbers of 32 bits that the sets of one column take, and those of one row's set. */
const mostWords = 262_144;
const mostWordsOfRow = 32;

/** Sets as bits: those of two long lists are compared in a few steps. */
class Members {
  readonly #bits: Uint32Array;
  readonly #words: number;

  private constructor(sets: readonly Ranges[], words: number) {
    this.#words = words;
    this.#bits = new Uint32Array(sets.length * words);
    for (const [row, set] of sets.entries()) {
      for (const atom of membersOf(set)) {
        const at = row * words + (atom >> 5);
        this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (atom & 31));
      }
    }
  }

  /** Undefined where they would take too much. */
  static of(sets: readonly Ranges[], atoms: number): Members | undefined {
    const words = Math.ceil(atoms / 32);
    return words > mostWordsOfRow || words * sets.length > mostWords ? undefined : new Members(sets, words);
  }

  /** Notes the atoms that a row has in common with a set, given as bits: one row more at each of them, one fewer after it. */
  noteCommon(row: number, set: Uint32Array, changes: Int32Array): void {
    const at = row * this.#words;
    for (let word = 0; word < set.length; word++) {
      for (let both = (this.#bits[at + word] ?? 0) & (set[word] ?? 0); both !== 0; both &= both - 1) {
        const atom = 32 * word + 31 - Math.clz32(both & -both);
        changes[atom] = (changes[atom] ?? 0) + 1;
        changes[atom + 1] = (changes[atom + 1] ?? 0) - 1;
      }
    }
  }

  bitsOf(set: Ranges): Uint32Array {
    const bits = new Uint32Array(this.#words);
    for (const atom of membersOf(set)) bits[atom >> 5] = (bits[atom >> 5] ?? 0) | (1 << (atom & 31));
    return bits;
  }

  /** Whether the sets of two rows have an atom in common. */
  meet(one: number, other: number): boolean {
    const [bits, words] = [this.#bits, this.#words];
    for (let word = 0; word < words; word++)
      if (((bits[one * words + word] ?? 0) & (bits[other * words + word] ?? 0)) !== 0) return true;
    return false;
  }
}
