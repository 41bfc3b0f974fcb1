/** The counts of a report that a bound may compare. */
export interface BoundedReport extends Readonly<ResultCounts> {
  readonly replayed: number;
  readonly skipped: Readonly<Record<string, number>>;
}

/** How the result of another version compares with the recorded one. */
export const resultKinds = ['identical', 'changed', 'newlyFailed', 'newlyCompleted'] as const;
export type ResultCounts = Record<(typeof resultKinds)[number], number>;

/** Their names. */
export const countsOfReport = [...resultKinds, 'replayed', 'skipped'] as const;

/** The comparisons that bounds and conditions of monitors have. */
export const comparisons: ReadonlyMap<string, (a: number, b: number) => boolean> = new Map(
  Object.entries({
    '>': (a, b) => a > b,
    '>=': (a, b) => a >= b,
    '<': (a, b) => a < b,
    '<=': (a, b) => a <= b,
  }),
);

/**
 * Parses a bound, such as `changed > 0.5%`: a count of the report, `>` `>=` `<` or `<=`, and a number. With `%` the count is divided by
 * that of replayed executions; `skipped` and `replayed` themselves are divided by that of all. A share of no executions is 0. `changed`
 * is of all that came out otherwise: who bounds it lets no version pass that fails where the recorded one did not.
 * @returns a function that says whether the comparison holds of a report; undefined for any other text
 */
export function parseBound(text: string): ((report: BoundedReport) => boolean) | undefined {
  const [, name = '', sign = '', number = '', isShare] =
    /^\s*(\w+)\s*(>=?|<=?)\s*(\d+(?:\.\d+)?)\s*(%)?\s*$/.exec(text) ?? [];
  const count = countsOfReport.find((known) => known === name);
  const compare = comparisons.get(sign);
  if (count === undefined || compare === undefined) return undefined;
  return (report) => {
    const value = countOf(report, count);
    if (isShare === undefined) return compare(value, Number(number));
    const isOfAll = count === 'skipped' || count === 'replayed';
    const all = report.replayed + (isOfAll ? sum(report.skipped) : 0);
    return compare(all === 0 ? 0 : (100 * value) / all, Number(number));
  };
}

function countOf(report: BoundedReport, count: (typeof countsOfReport)[number]): number {
  if (count === 'skipped') return sum(report.skipped);
  return count === 'changed' ? report.changed + report.newlyFailed + report.newlyCompleted : report[count];
}

/** Why executions were skipped for what the candidate does: such a one could hide its changes so. */
const byCandidate = ['secret', 'http'] as const;

/**
 * The report, and what it could have been if the executions that the candidate kept from being compared had come out in one
 * way or another: who judges a version looks at the worst of them.
 */
export function possibleReports(report: BoundedReport): BoundedReport[] {
  const unseen = byCandidate.reduce((total, reason) => total + (report.skipped[reason] ?? 0), 0);
  if (unseen === 0) return [report];
  const replayed = report.replayed + unseen;
  return [report, ...resultKinds.map((name) => ({ ...report, replayed, [name]: report[name] + unseen }))];
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);
