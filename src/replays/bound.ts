/** What a bound reads of a report. */
export interface BoundedReport extends Readonly<Record<Outcome, number>> {
  readonly replayed: number;
  readonly skipped: Readonly<Record<string, number>>;
}

export const outcomes = ['identical', 'changed', 'newlyFailed', 'newlyCompleted'] as const;
type Outcome = (typeof outcomes)[number];

/** The counts that a bound may be of. */
export const boundedCounts = [...outcomes, 'replayed', 'skipped'] as const;

const comparisons: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
};

/**
 * Reads a comparison: a count of the report, `>` `>=` `<` or `<=`, and a number, with `%` of all that were replayed (of
 * `skipped` and `replayed` themselves: of all executions). Of none, every share is 0.
 * @returns whether it is so of a report; undefined for any other text
 */
export function parseBound(text: string): ((report: BoundedReport) => boolean) | undefined {
  const [, name = '', sign = '', number = '', isShare] =
    /^\s*(\w+)\s*(>=?|<=?)\s*(\d+(?:\.\d+)?)\s*(%)?\s*$/.exec(text) ?? [];
  const count = boundedCounts.find((known) => known === name);
  const compare = comparisons[sign];
  if (count === undefined || compare === undefined) return undefined;
  return (report) => {
    const value = count === 'skipped' ? sum(report.skipped) : report[count];
    if (isShare === undefined) return compare(value, Number(number));
    const isOfAll = count === 'skipped' || count === 'replayed';
    const all = report.replayed + (isOfAll ? sum(report.skipped) : 0);
    return compare(all === 0 ? 0 : (100 * value) / all, Number(number));
  };
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);
