import type { Table } from '../engine/nodes/table/content.js';
import { attempt, BudgetExceeded, spend, type Budget } from './budget.js';
import { everyUncovered, meetsAll, uncovered, type Box } from './boxes.js';
import type { Neighbours } from './neighbours.js';
import type { RowBox } from './tableBoxes.js';

interface RedundancySearch {
  readonly live: readonly RowBox[];
  /** Rows that are never reached, though they may be without the row that covers them. */
  readonly shadowed: ReadonlySet<number>;
  /** What each row takes, where that is known. */
  readonly regions: readonly (Box | null)[];
  readonly near: Neighbours;
  readonly budget: Budget;
}

/**
 * Rows that could be removed: all their inputs would go to later rows with the same results. For `undecided` rows the budget did not
 * suffice.
 */
export function redundantRows(
  keys: readonly string[],
  { live, shadowed, regions, near, budget }: RedundancySearch,
): { readonly redundant: readonly RowBox[]; readonly undecided: readonly RowBox[] } {
  const lastOf = new Map(live.map(({ index }, position) => [keys[index], position]));
  const undecided: RowBox[] = [];
  const redundant = live.filter((row, position) => {
    if (shadowed.has(row.index) || !row.isExact || (lastOf.get(keys[row.index]) ?? 0) <= position) return false;
    const isRedundant = attempt(budget, (limited) => {
      const next: Following = { rows: near.after(position), isAlike: ({ index }) => keys[index] === keys[row.index] };
      const goesOn = (box: Box): boolean => allAlike(box, next, limited);
      // A known part of what the row takes is enough to rule out most rows that are not redundant.
      const region = regions[row.index] ?? null;
      if (region !== null && !goesOn(region)) return false;
      const earlier = near.before(position).filter(({ isExact }) => isExact);
      const covered = earlier.map(({ may }) => may);
      return everyUncovered(row.may, covered, limited, goesOn);
    });
    if (isRedundant === undefined) undecided.push(row);
    return isRedundant === true;
  });
  return { redundant, undecided };
}

/** The results of each row, as a text. */
export function resultKeys({ rules, outputs }: Table): string[] {
  return rules.map((rule, index) => {
    const cells = outputs.map(({ id, path }) => (path === '' ? '' : (rule.get(id) ?? '')));
    // `$` is the field that was tested last, which another row may leave otherwise.
    return cells.some((cell) => cell.includes('$')) ? `row ${index}` : JSON.stringify(cells);
  });
}

/** Rows that come after one. */
interface Following {
  readonly rows: readonly RowBox[];
  /** Whether its results are those of that one. */
  readonly isAlike: (row: RowBox) => boolean;
}

/** Most parts of a box that wait to be followed; with more the question is given up. */
const mostParts = 20_000;

/** Whether rows with the same results take all of a box, part by part: the first part that goes elsewhere ends it. */
function allAlike(box: Box, { rows, isAlike }: Following, budget: Budget): boolean {
  const parts = [{ part: box, from: 0 }];
  for (let next = parts.pop(); next !== undefined; next = parts.pop()) {
    const { part, from } = next;
    let at = from;
    while (at < rows.length && !meetsAll(part, rows[at]?.may ?? [])) at++;
    spend(budget, at - from + 1);
    const row = rows[at];
    if (row === undefined || !row.isExact || !isAlike(row)) return false;
    parts.push(...uncovered(part, [row.may], budget).map((left) => ({ part: left, from: at + 1 })));
    if (parts.length > mostParts) throw new BudgetExceeded();
  }
  return true;
}
