import type { Dimension } from './dimension.js';
import { meets, membersOf, type Ranges } from './ranges.js';
import type { RowBox } from './tableBoxes.js';

/** Finds the rows that have inputs in common with one row. There are millions of pairs; most are ruled out by a few columns. */
export class Neighbours {
  readonly #rows: readonly RowBox[];
  readonly #places: readonly number[];
  readonly #columns: readonly Column[];

  /** @param rows none of them empty */
  constructor(rows: readonly RowBox[], dimensions: readonly Dimension[]) {
    this.#rows = rows;
    this.#places = [...rows.keys()];
    this.#columns = columnsOf(rows, dimensions);
  }

  /** The neighbours before the row at a place, in order. */
  before(place: number): RowBox[] {
    return this.among(this.#places.slice(0, place), place);
  }

  /** The neighbours after it, in order. */
  after(place: number): RowBox[] {
    return this.among(this.#places.slice(place + 1), place);
  }

  /** The neighbours at some of the places, in order. */
  among(places: readonly number[], place: number): RowBox[] {
    let left = places;
    for (const { all, sets, members } of this.#columns) {
      const own = sets[place] ?? [];
      if (own === all) continue;
      left = left.filter((other) =>
        members === undefined ? meets(own, sets[other] ?? []) : members.meet(place, other),
      );
    }
    return left.map((other) => this.#rows[other] as RowBox);
  }
}

/** What the rows say of one dimension. */
interface Column {
  readonly all: Ranges;
  readonly sets: readonly Ranges[];
  /** Where some row has gaps, as a list of texts has, and there are few enough atoms. */
  readonly members: Members | undefined;
}

/** Those whose cells differ most come first: they rule out most rows. */
const columnsOf = (rows: readonly RowBox[], dimensions: readonly Dimension[]): Column[] =>
  dimensions
    .map(({ all, atoms }, dimension) => {
      const sets = rows.map(({ may }) => may[dimension] ?? []);
      const hasGaps = sets.some(({ length }) => length > 2);
      return { all, sets, members: hasGaps ? Members.of(sets, atoms.length) : undefined, distinct: new Set(sets).size };
    })
    .sort((one, other) => other.distinct - one.distinct);

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
