import type { ReplayReport } from '../api/types.js';

type Transition = ReplayReport['transitions'][number];

/** A change, or all at one place whose values are not told: they would be lines in the same words. */
export interface ToldTransition extends Transition {
  /** How many changes it stands for, where their values are not told. */
  readonly changes?: number;
}

/** The changes, and behind them one line a place for those by whose values somebody could be known, with the sum of their counts. */
export function withFewTogether(transitions: readonly Transition[]): readonly ToldTransition[] {
  const few = new Map<string, ToldTransition>();
  for (const transition of transitions.filter(({ hash }) => hash !== undefined)) {
    const { count = 0, changes = 0 } = few.get(transition.pointer) ?? {};
    few.set(transition.pointer, { ...transition, count: count + transition.count, changes: changes + 1 });
  }
  return [...transitions.filter(({ hash }) => hash === undefined), ...few.values()];
}

/** What stands for values by which somebody could be known. */
export const fewHave = (changes: number): string =>
  changes === 1
    ? 'a change that fewer than five executions have'
    : `${changes} changes, each of which fewer than five executions have`;
