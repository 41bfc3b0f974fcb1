import { formatJson } from '../api/exactJson.js';
import type { Measurements } from '../api/types.js';

export type Row = Measurements['data'][number];

/** How many of a bar are of which kind. */
export type Parts = readonly (readonly [name: string, count: number])[];

/** The answers of a field: its values, numbers together, other ones, and executions of before it was measured. */
export function answerParts({ count, failed, field }: Row): Parts {
  const { values, others, absent, numbers } = field ?? { values: [], others: 0, absent: 0, numbers: null };
  const found: [string, number][] = [
    ...values.map(({ value, count: times }): [string, number] => [textOf(value), times]),
    ['numbers', numbers?.count ?? 0],
    ['none', absent],
    ['others', others],
  ];
  const known = found.reduce((sum, [, times]) => sum + times, failed);
  return [...found, ['failed', failed], ['not measured', count - known]];
}

/** The roundest number that a quantile may be, as most answers are: it is known to a percent. Multiples of five are rounder than others. */
export function roughly(quantile: number): string {
  const unit = 10 ** Math.floor(Math.log10(Math.abs(quantile) || 1));
  const rounds = [1, 0.5, 0.1, 0.05, 0.01].map((step) => {
    const size = step * unit;
    return Number((Math.round(quantile / size) * size).toPrecision(3));
  });
  return `about ${rounds.find((round) => Math.abs(round - quantile) <= Math.abs(quantile) / 100) ?? quantile}`;
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : formatJson(value));

/** All parts of each step of time, and the names of the most frequent; the others are summed up. */
export function stacked(
  data: readonly Row[],
  partsOf: (row: Row) => Parts,
  most: number,
): { readonly names: readonly string[]; readonly bars: ReadonlyMap<string, ReadonlyMap<string, number>> } {
  const totals = new Map<string, number>();
  for (const row of data) for (const [name, count] of partsOf(row)) totals.set(name, (totals.get(name) ?? 0) + count);
  const all = [...totals].filter(([, count]) => count > 0).sort(([, a], [, b]) => b - a);
  const kept = all.length > most ? all.slice(0, most - 1) : all;
  const names = kept.map(([name]) => name);
  if (all.length > most) names.push('the rest');
  const bars = new Map<string, Map<string, number>>();
  for (const row of data) {
    const bar = bars.get(row.at) ?? new Map<string, number>();
    bars.set(row.at, bar);
    for (const [name, count] of partsOf(row)) {
      const shown = names.includes(name) ? name : 'the rest';
      if (count > 0) bar.set(shown, (bar.get(shown) ?? 0) + count);
    }
  }
  return { names, bars };
}
