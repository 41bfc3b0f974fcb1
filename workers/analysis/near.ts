import type { Deadline } from './deadline.js';
import { BudgetExceeded } from './cover.js';
import { meets } from './ranges.js';
import type { RowBox, TableBoxes } from './table.js';

/** Which rows of a table have inputs in common: asked for often, and found once. A bit for each pair. */
export class Neighbours {
  readonly #bits: Uint32Array;
  readonly #words: number;

  /** @throws BudgetExceeded */
  constructor(boxes: TableBoxes, until: Deadline) {
    const { rows } = boxes;
    this.#words = Math.ceil(rows.length / 32);
    this.#bits = new Uint32Array(rows.length * this.#words);
    const order = mostSelective(boxes);
    for (const [at, row] of rows.entries()) {
      if (until.isOver()) throw new BudgetExceeded();
      for (let other = 0; other < at; other++) {
        if (!meetsAll(row, rows[other], order)) continue;
        this.#add(at, other);
        this.#add(other, at);
      }
    }
  }

  #add(row: number, other: number): void {
    const word = row * this.#words + (other >> 5);
    this.#bits[word] = (this.#bits[word] ?? 0) | (1 << (other & 31));
  }

  have(row: number, other: number): boolean {
    return (((this.#bits[row * this.#words + (other >> 5)] ?? 0) >>> (other & 31)) & 1) === 1;
  }
}

/** A loop, as there are millions of pairs. */
function meetsAll({ may }: RowBox, other: RowBox | undefined, order: readonly number[]): boolean {
  for (const dimension of order) if (!meets(may[dimension] ?? [], other?.may[dimension] ?? [])) return false;
  return true;
}

/** The dimensions, those first in which rows differ most: comparing two rows there ends soonest. */
function mostSelective({ dimensions, rows }: TableBoxes): readonly number[] {
  const distinct = dimensions.map((_, dimension) => new Set(rows.map(({ may }) => may[dimension])).size);
  return [...dimensions.keys()].sort((one, other) => (distinct[other] ?? 0) - (distinct[one] ?? 0));
}
