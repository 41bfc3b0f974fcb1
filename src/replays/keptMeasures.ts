import { noMeasure, type MeasurePair, type MeasureSettings, type MeasureTally } from '../../workers/models/index.js';
import { isShown } from './anonymousCounts.js';

/** What a measure gave, as tallies keep it. */
export interface KeptMeasure extends MeasurePair {
  /** How many of the executions may have been erased since. */
  readonly erased?: number;
  /** The sums are gone: so few other executions were left that they told of one. */
  readonly withoutSums?: true;
}

type Aggregate = MeasureSettings['aggregate'];

/**
 * Whether an aggregate may be told after executions were erased. The least and the greatest number are those of one execution,
 * perhaps of an erased one; a sum tells of one where few others are in it. Counts stay, as they do in all of a report.
 */
export function isTold(aggregate: Aggregate, erased: number, withoutSums: boolean): boolean {
  if (erased === 0 || aggregate === 'count' || aggregate === 'share') return true;
  return (aggregate === 'sum' || aggregate === 'mean') && !withoutSums;
}

/** A measure that keeps nothing of executions that were erased. */
export function measureWithoutErased(kept: KeptMeasure, count: number): KeptMeasure {
  const { before, after } = kept;
  const erased = Math.min(before.runs, (kept.erased ?? 0) + count);
  if (erased === 0) return kept;
  const withoutSums = kept.withoutSums === true || !isShown(before.runs, erased);
  const left = ({ runs, hits, numbers, sum }: MeasureTally): MeasureTally => ({
    ...{ ...noMeasure, runs, hits },
    ...(withoutSums ? {} : { numbers, sum }),
  });
  return { before: left(before), after: left(after), erased, ...(withoutSums ? { withoutSums } : {}) };
}
