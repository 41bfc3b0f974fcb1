import type { Dimension } from './dimension.js';
import { meets, membersOf, type Ranges } from './ranges.js';
import type { RowBox } from './table.js';

/** Which rows have inputs in common with one of them. There are millions of pairs: most are ruled out by columns of numbers. */
export class Neighbours {
  readonly #rows: readonly RowBox[];
  readonly #columns: readonly Column[];
  readonly #places: Uint32Array;
  /** Places of the rows that are not ruled out yet. */
  readonly #left: Uint32Array;

  /** @param rows none of them empty */
  constructor(rows: readonly RowBox[], dimensions: readonly Dimension[]) {
    this.#rows = rows;
    this.#places = Uint32Array.from(rows.keys());
    this.#left = new Uint32Array(rows.length);
    // Where rows differ most, most are ruled out.
    this.#columns = dimensions
      .map(({ all }, dimension) => columnOf(rows, dimension, all))
      .sort((one, other) => other.distinct - one.distinct);
  }

  /** Those before the row at a place, in order. */
  before(place: number): RowBox[] {
    return this.among(this.#places.subarray(0, place), place);
  }

  /** Those after it, in order. */
  after(place: number): RowBox[] {
    return this.among(this.#places.subarray(place + 1), place);
  }

  /** Those at some places, in order. */
  among(places: ArrayLike<number>, place: number): RowBox[] {
    const left = this.#left;
    let count = places.length;
    left.set(places);
    for (const { all, sets, firsts, lasts, isWhole, members } of this.#columns) {
      const own = sets[place] ?? [];
      if (own === all) continue;
      const [first, last] = [firsts[place] ?? 0, lasts[place] ?? 0];
      const before = count;
      count = 0;
      for (let at = 0; at < before; at++) {
        const other = left[at] ?? 0;
        if ((firsts[other] ?? 0) > last || (lasts[other] ?? 0) < first) continue;
        if (
          (isWhole[place] === 1 && isWhole[other] === 1) ||
          (members === undefined ? meets(own, sets[other] ?? []) : members.meet(place, other))
        )
          left[count++] = other;
      }
    }
    return Array.from(left.subarray(0, count), (other) => this.#rows[other] as RowBox);
  }
}

/** What the rows say of one dimension. */
interface Column {
  readonly all: Ranges;
  readonly sets: readonly Ranges[];
  /** The first and the last atom of each row. */
  readonly firsts: Int32Array;
  readonly lasts: Int32Array;
  /** 1 where the row has all between them. */
  readonly isWhole: Uint8Array;
  /** Where some row has gaps between them, as a list of texts has, and there are few enough atoms. */
  readonly members: Members | undefined;
  /** How many sets there are. */
  readonly distinct: number;
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

  /** Whether the sets of two rows have an atom in common. */
  meet(one: number, other: number): boolean {
    const [bits, words] = [this.#bits, this.#words];
    for (let word = 0; word < words; word++)
      if (((bits[one * words + word] ?? 0) & (bits[other * words + word] ?? 0)) !== 0) return true;
    return false;
  }
}

function columnOf(rows: readonly RowBox[], dimension: number, all: Ranges): Column {
  const sets = rows.map(({ may }) => may[dimension] ?? []);
  const isWhole = Uint8Array.from(sets, ({ length }) => (length === 2 ? 1 : 0));
  return {
    all,
    sets,
    firsts: Int32Array.from(sets, (set) => set[0] ?? 0),
    lasts: Int32Array.from(sets, (set) => set.at(-1) ?? 0),
    isWhole,
    members: isWhole.includes(0) ? Members.of(sets, all.length === 0 ? 0 : (all[1] ?? 0) + 1) : undefined,
    distinct: new Set(sets).size,
  };
}
