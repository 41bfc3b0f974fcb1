import type { Measured } from './load.js';
import { median, quantile, ratioOf } from './numbers.js';
import type { Report, Wanted } from './report.js';

/** One model of the suite. */
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
type Comparison = (typeof comparisons)[number];

/** Requests per second of each model, and how the ratios lie over all of them. */
export function suiteReport(rows: readonly ModelRow[]): Report {
  const lines = rows.map((row) => [
    row.name,
    row.nodes,
    ...comparisons.flatMap((each) => cells(row, each)),
    errorsOf(row),
  ]);
  return {
    parts: [
      'Requests per second, medians of the rounds; ratio: ours to the peer beside it, the median of the rounds.',
      {
        headings: ['', 'nodes', ...comparisons.flatMap(({ ours, peer }) => [peer, ours, 'ratio']), 'errors'],
        rows: lines,
      },
    ],
    wanted: comparisons.map((comparison) => judged(rows, comparison)),
    found: { rows },
  };
}

function judged(rows: readonly ModelRow[], comparison: Comparison): Wanted {
  const { ours, peer, wanted } = comparison;
  const sorted = rows.map((row) => ratio(row, comparison)).sort((a, b) => a - b);
  const at = (share: number): string => quantile(sorted, share).toFixed(2);
  return {
    text:
      `${ours} to ${peer}: median ${median(sorted).toFixed(2)}, at least ${wanted} is wanted; a quarter of the models ` +
      `below ${at(0.25)}, a quarter above ${at(0.75)}, least ${at(0)}, most ${at(1)}; ` +
      `${sorted.filter((each) => each >= wanted).length} of ${sorted.length} reach it`,
    met: median(sorted) >= wanted,
  };
}

const speeds = ({ measured }: ModelRow, name: string): number[] =>
  (measured[name] ?? []).map(({ perSecond }) => perSecond);

const ratio = (row: ModelRow, { ours, peer }: Comparison): number => ratioOf(speeds(row, ours), speeds(row, peer));

const cells = (row: ModelRow, comparison: Comparison): string[] => [
  median(speeds(row, comparison.peer)).toFixed(0),
  median(speeds(row, comparison.ours)).toFixed(0),
  ratio(row, comparison).toFixed(2),
];

const errorsOf = ({ measured }: ModelRow): number =>
  Object.values(measured)
    .flat()
    .reduce((sum, { errors }) => sum + errors, 0);
