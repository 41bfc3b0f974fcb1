import { comparisons } from '../../replays/bound.js';

/** What trips a monitor: a bound of what is measured, or of how far that has drifted. */
interface Condition {
  readonly drift: boolean;
  readonly holds: (value: number) => boolean;
}

/** `> 0.2`, `drift > 0.2` and the like; undefined for anything else. */
export function parseCondition(text: string): Condition | undefined {
  const [, drift, operator = '', bound] =
    /^(drift )?\s*(>=|<=|>|<)\s*(\d{1,12}(?:\.\d{1,9})?)$/.exec(text.trim()) ?? [];
  const compare = comparisons.get(operator);
  if (compare === undefined) return undefined;
  return { drift: drift !== undefined, holds: (value) => compare(value, Number(bound)) };
}
