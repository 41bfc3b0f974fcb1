import { table } from '../tableOf.js';
import { outcomeNames, outcomes, percent, type Report } from './report.js';

/** A report for the terminal. */
export function reportText(report: Report): string {
  const { replayed, skipped, fields, transitions, measures, engine, outcomes: told = [], reach } = report;
  const counts = [
    ...outcomes.map((outcome) => [outcomeNames[outcome], report[outcome], percent(report[outcome], replayed)]),
    ...Object.entries(skipped).map(([reason, count]) => [`skipped: ${reason}`, count, '']),
  ];
  const parts = [table([`of ${replayed} executions`, 'count', 'share'], counts)];
  if (transitions.length > 0) {
    const rows = transitions.map(({ pointer, before, after, hash, count }) => [
      pointer,
      hash ?? before,
      hash ?? after,
      count,
    ]);
    parts.push(table(['place', 'before', 'after', 'count'], rows));
  } else if (fields.length > 0) {
    parts.push(
      table(
        ['place', 'count'],
        fields.map(({ pointer, count }) => [pointer, count]),
      ),
    );
  }
  if (measures.length > 0) {
    const rows = measures.map(({ name, before, after }) => [name, before, after, differenceOf(before, after)]);
    parts.push(table(['measure', 'before', 'after', 'difference'], rows));
  }
  for (const outcome of told) parts.push(...outcomeTables(outcome));
  if (reach !== undefined && reach.unreached > 0) {
    const rows = reach.rules.filter(({ hits }) => hits === 0).map(({ nodeId, ruleId }) => [nodeId, ruleId]);
    parts.push(table(['reached by none: node', 'rule'], rows));
  }
  const { before, after } = engine;
  parts.push(
    table(
      ['engine, ms', 'before', 'after'],
      [
        ['p50', before.p50, after.p50],
        ['p99', before.p99, after.p99],
      ],
    ),
  );
  return parts.join('\n');
}

type Outcome = NonNullable<Report['outcomes']>[number];

/** What had become of the cases with each result, and how well the stated one met that. */
function outcomeTables({ name, known, unknown, table: rows, before, after }: Outcome): string[] {
  const cells = rows.map(({ hash, ...row }) => [hash ?? row.outcome, hash ?? row.before, hash ?? row.after, row.count]);
  return [
    table([`${name}, of ${known} (${unknown} unknown)`, 'before', 'after', 'count'], cells),
    table(
      [`${name}: the result`, 'before', 'after'],
      [
        ['precision', before.precision, after.precision],
        ['recall', before.recall, after.recall],
      ],
    ),
  ];
}

export function differenceOf(before: number | null, after: number | null): string {
  if (before === null || after === null) return '';
  const difference = Number((after - before).toPrecision(6));
  const share = before === 0 ? '' : ` (${percentOf(difference / Math.abs(before))})`;
  return `${difference > 0 ? '+' : ''}${difference}${share}`;
}

const percentOf = (share: number): string => `${share > 0 ? '+' : ''}${Number((100 * share).toFixed(2))} %`;
