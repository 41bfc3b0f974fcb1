import type { Column } from './columns.js';
import { meets } from './ranges.js';
import type { RowBox } from './tableBoxes.js';

/** Finds the rows that have inputs in common with one row. There are millions of pairs; most are ruled out by a few columns. */
export class Neighbours {
  readonly #rows: readonly RowBox[];
  readonly #columns: readonly Column[];
  readonly #places: Uint32Array;
  /** Indexes of the rows that are not ruled out yet. */
  readonly #left: Uint32Array;

  constructor(rows: readonly RowBox[], columns: readonly Column[]) {
    this.#rows = rows;
    this.#places = Uint32Array.from(rows.keys());
    this.#left = new Uint32Array(rows.length);
    // Columns whose cells differ most rule out most rows.
    this.#columns = columns.toSorted((one, other) => other.distinct - one.distinct);
  }

  /** The neighbours before the row at a place, in order. */
  before(place: number): RowBox[] {
    return this.rowsAt(this.among(this.#places.subarray(0, place), place));
  }

  /** The neighbours after it, in order. */
  after(place: number): RowBox[] {
    return this.rowsAt(this.among(this.#places.subarray(place + 1), place));
  }

  /** The places of the neighbours among other rows, in order. */
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
