import type { Dimension } from './dimension.js';
import { meets, type Ranges } from './ranges.js';
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
    for (const { all, sets, firsts, lasts, isWhole } of this.#columns) {
      const own = sets[place] ?? [];
      if (own === all) continue;
      const [first, last] = [firsts[place] ?? 0, lasts[place] ?? 0];
      const before = count;
      count = 0;
      for (let at = 0; at < before; at++) {
        const other = left[at] ?? 0;
        if ((firsts[other] ?? 0) > last || (lasts[other] ?? 0) < first) continue;
        if ((isWhole[place] === 1 && isWhole[other] === 1) || meets(own, sets[other] ?? [])) left[count++] = other;
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
  /** How many sets there are. */
  readonly distinct: number;
}

function columnOf(rows: readonly RowBox[], dimension: number, all: Ranges): Column {
  const sets = rows.map(({ may }) => may[dimension] ?? []);
  return {
    all,
    sets,
    firsts: Int32Array.from(sets, (set) => set[0] ?? 0),
    lasts: Int32Array.from(sets, (set) => set.at(-1) ?? 0),
    isWhole: Uint8Array.from(sets, ({ length }) => (length === 2 ? 1 : 0)),
    distinct: new Set(sets).size,
  };
}
