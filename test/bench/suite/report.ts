import { table } from '../../../src/cli/table.js';
import type { Measured } from '../http/load.js';
import { median, quantile } from '../quantile.js';

export interface ModelRow {
  readonly name: string;
  readonly nodes: number;
  /** By the names of the targets; the rounds of all took turns. */
  readonly measured: Readonly<Record<string, readonly Measured[]>>;
}

/** What is compared with what, and the least that is wanted of the models' median. */
const comparisons = [
  { ours: 'execution', peer: 'fastify', wanted: 0.7 },
  { ours: 'evaluation (traced)', peer: 'fastify-traced', wanted: 2 },
] as const;

const headings = ['', 'nodes', ...comparisons.flatMap(({ ours, peer }) => [peer, ours, 'ratio']), 'errors'];

/** Requests per second of each model, and how the ratios lie over all of them. */
export function reportText(rows: readonly ModelRow[]): string {
  const lines = rows.map((row) => [
    row.name,
    row.nodes,
    ...comparisons.flatMap((each) => cells(row, each)),
    errors(row),
  ]);
  return [
    'Requests per second, medians of the rounds; ratio: ours to the peer beside it, the median of the rounds.',
    table(headings, lines),
    ...comparisons.map((comparison) => {
      const sorted = ratios(rows, comparison);
      const at = (share: number): string => quantile(sorted, share).toFixed(2);
      const { ours, peer, wanted } = comparison;
      return (
        `${isMet(rows, comparison) ? 'met   ' : 'MISSED'}  ${ours} to ${peer}: median ${median(sorted).toFixed(2)}, ` +
        `at least ${wanted} is wanted; a quarter of the models below ${at(0.25)}, a quarter above ${at(0.75)}, ` +
        `least ${at(0)}, most ${at(1)}; ${sorted.filter((ratio) => ratio >= wanted).length} of ${sorted.length} reach it`
      );
    }),
  ].join('\n');
}

export const areMet = (rows: readonly ModelRow[]): boolean => comparisons.every((each) => isMet(rows, each));

type Comparison = (typeof comparisons)[number];

const isMet = (rows: readonly ModelRow[], comparison: Comparison): boolean =>
  median(ratios(rows, comparison)) >= comparison.wanted;

/** Of all models, ascending. */
const ratios = (rows: readonly ModelRow[], comparison: Comparison): number[] =>
  rows.map((row) => ratio(row, comparison)).sort((a, b) => a - b);

function ratio({ measured }: ModelRow, { ours, peer }: Comparison): number {
  const peers = measured[peer] ?? [];
  return median((measured[ours] ?? []).map(({ perSecond }, round) => perSecond / (peers[round]?.perSecond ?? NaN)));
}

function cells(row: ModelRow, comparison: Comparison): string[] {
  const rate = (name: string): string =>
    median((row.measured[name] ?? []).map(({ perSecond }) => perSecond)).toFixed(0);
  return [rate(comparison.peer), rate(comparison.ours), ratio(row, comparison).toFixed(2)];
}

const errors = ({ measured }: ModelRow): number =>
  Object.values(measured)
    .flat()
    .reduce((sum, each) => sum + each.errors, 0);
