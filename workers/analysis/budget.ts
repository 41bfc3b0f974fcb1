import type { Deadline } from './deadline.js';

/** What an analysis may still do; shared by all of its searches. */
export interface Budget {
  /** Comparisons of two boxes. */
  comparisons: number;
  readonly until: Deadline;
}

/** The question was given up: the answer would take more than the budget has. */
export class BudgetExceeded extends Error {}

/** Comparisons for one question about one row. */
const comparisonsOfRow = 2_000_000;

/** Comparisons between two looks at the clock: less than a millisecond. */
const betweenLooks = 2048;

/** @throws BudgetExceeded */
export function spend(budget: Budget, comparisons: number): void {
  const looks = Math.floor(budget.comparisons / betweenLooks);
  budget.comparisons -= comparisons;
  if (budget.comparisons < 0) throw new BudgetExceeded();
  if (Math.floor(budget.comparisons / betweenLooks) < looks && budget.until.isOver()) throw new BudgetExceeded();
}

/** Answers one question about one row within a share of the budget; undefined where that does not suffice. */
export function attempt<T>(budget: Budget, work: (limited: Budget) => T, most = comparisonsOfRow): T | undefined {
  if (budget.comparisons <= 0 || budget.until.isOver()) return undefined;
  const limited = { ...budget, comparisons: Math.min(budget.comparisons, most) };
  const before = limited.comparisons;
  try {
    return work(limited);
  } catch (error) {
    if (error instanceof BudgetExceeded) return undefined;
    throw error;
  } finally {
    budget.comparisons -= before - limited.comparisons;
  }
}
