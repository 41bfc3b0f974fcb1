import type { Column } from './columns.js';
import { meets } from './ranges.js';
import type { RowBox } from './tableBoxes.js';

/** Which rows have inputs in common with one of them. There are millions of pairs: most are ruled out by columns of numbers. */
export class Neighbours {
  readonly #rows: readonly RowBox[];
  readonly #columns: readonly Column[];
  readonly #places: Uint32Array;
  /** Places of the rows that are not ruled out yet. */
  readonly #left: Uint32Array;

  constructor(rows: readonly RowBox[], columns: readonly Column[]) {
    this.#rows = rows;
    this.#places = Uint32Array.from(rows.keys());
    this.#left = new Uint32Array(rows.length);
    // Where rows differ most, most are ruled out.
    this.#columns = columns.toSorted((one, other) => other.distinct - one.distinct);
  }

  /** Those before the row at a place, in order. */
  before(place: number): RowBox[] {
    return this.rowsAt(this.among(this.#places.subarray(0, place), place));
  }

  /** Those after it, in order. */
  after(place: number): RowBox[] {
    return this.rowsAt(this.among(this.#places.subarray(place + 1), place));
  }

  /** The places of those among others, in order. */
  among(places: ArrayLike<number>, place: number): Uint32Array {
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
    return left.slice(0, count);
  }

  rowsAt(places: Uint32Array): RowBox[] {
    return Array.from(places, (place) => this.#rows[place] as RowBox);
  }
}
