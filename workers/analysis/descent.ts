import { spend, type Budget } from './budget.js';
import type { Column } from './columns.js';
import type { Box } from './boxes.js';
import { isWithin, type Ranges } from './ranges.js';

/** Looks for what rows leave of a box where the fewest of them are: quick, and it may miss it. */
export class Descent {
  readonly #columns: readonly Column[];
  /** How many rows more, or fewer, have an atom than have the one before. */
  readonly #changes: Int32Array;

  /** @param columns in the order of the dimensions */
  constructor(columns: readonly Column[]) {
    this.#columns = columns;
    this.#changes = new Int32Array(Math.max(0, ...columns.map(({ all }) => all[1] ?? 0)) + 2);
  }

  /**
   * A part of the box in which none of the rows at some places is, found by fixing one dimension after the other at the atom
   * that the fewest of them have. Undefined where that ends at a point of one of them.
   * @throws BudgetExceeded
   */
  find(box: Box, rows: Uint32Array, budget: Budget): Box | undefined {
    let left = box;
    let rest = rows;
    const open = new Set(this.#columns);
    while (rest.length > 0) {
      spend(budget, rest.length);
      let best: Sparse | undefined;
      for (const column of open) {
        const found = this.#sparsest(left[column.dimension] ?? [], rest, column);
        if (found.count < (best?.count ?? rest.length)) best = found;
        if (found.count === 0) break;
      }
      if (best === undefined) return undefined;
      const { column, atom, count } = best;
      open.delete(column);
      left = left.with(column.dimension, [atom, atom]);
      rest = count === 0 ? rest.subarray(0, 0) : rest.filter((row) => has(column, row, atom));
    }
    return left;
  }

  /** The first of the atoms of a set that the fewest rows have. */
  #sparsest(own: Ranges, rows: Uint32Array, column: Column): Sparse {
    const [first, last] = [own[0] ?? 0, own.at(-1) ?? 0];
    const changes = this.#changes;
    changes.fill(0, first, last + 2);
    let here =
      column.members === undefined ? this.#noteRanges(own, rows, column) : this.#noteMembers(own, rows, column);
    let [atom, fewest] = [first, Infinity];
    for (let index = 0, at = first; index < own.length; index += 2) {
      const [from, to] = [own[index] ?? 0, own[index + 1] ?? 0];
      for (; at <= to; at++) {
        here += changes[at] ?? 0;
        if (here < fewest && at >= from) [atom, fewest] = [at, here];
      }
    }
    return { column, atom, count: fewest };
  }

  /** Notes where rows begin and end; how many have all. */
  #noteRanges(own: Ranges, rows: Uint32Array, { sets, firsts, lasts, isWhole, isAll }: Column): number {
    const [first, last] = [own[0] ?? 0, own.at(-1) ?? 0];
    const changes = this.#changes;
    let all = 0;
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index] ?? 0;
      if (isAll[row] === 1) all++;
      else if (isWhole[row] === 1) note(changes, Math.max(firsts[row] ?? 0, first), Math.min(lasts[row] ?? 0, last));
      else {
        const set = sets[row] ?? [];
        for (let at = 0; at < set.length; at += 2)
          note(changes, Math.max(set[at] ?? 0, first), Math.min(set[at + 1] ?? 0, last));
      }
    }
    return all;
  }

  #noteMembers(own: Ranges, rows: Uint32Array, { members, isAll }: Column): number {
    const bits = members?.bitsOf(own) ?? new Uint32Array();
    let all = 0;
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index] ?? 0;
      if (isAll[row] === 1) all++;
      else members?.noteCommon(row, bits, this.#changes);
    }
    return all;
  }
}

interface Sparse {
  readonly column: Column;
  readonly atom: number;
  /** How many rows have it. */
  readonly count: number;
}

function note(changes: Int32Array, from: number, to: number): void {
  if (from > to) return;
  changes[from] = (changes[from] ?? 0) + 1;
  changes[to + 1] = (changes[to + 1] ?? 0) - 1;
}

function has({ firsts, lasts, isWhole, sets }: Column, row: number, atom: number): boolean {
  if ((firsts[row] ?? 0) > atom || (lasts[row] ?? 0) < atom) return false;
  return isWhole[row] === 1 || isWithin([atom, atom], sets[row] ?? []);
}
