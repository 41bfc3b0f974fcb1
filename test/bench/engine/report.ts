import Table from 'cli-table3';
import type { Sample } from './memory.js';
import { median, type OurTimes } from './ours.js';
import type { PackageTimes } from './package.js';

/** Times of one model; `theirs` is undefined where the package refuses it. */
export interface ModelTimes {
  readonly name: string;
  /** It has function nodes. */
  readonly scripted: boolean;
  readonly ours: OurTimes;
  readonly theirs: PackageTimes | undefined;
}

export interface TableTimes extends Omit<ModelTimes, 'name'> {
  readonly rows: number;
  /** Microseconds for a fact that the first, or the last, rule meets. */
  readonly firstRow: number;
  readonly lastRow: number;
}

/** All that one run of the benchmark found. */
export interface Bench {
  readonly at: string;
  readonly node: string;
  readonly models: readonly ModelTimes[];
  readonly tables: readonly TableTimes[];
  readonly memory: readonly Sample[];
}

const head = ['model', 'plain', 'package', '×', '32 at once', '×', 'traced', '32 traced', '×', 'compile', 'package'];

/** The whole report as text. Times of runs are microseconds, of compilations milliseconds. */
export function draw(bench: Bench): string {
  const table = new Table({
    head,
    colAligns: head.map((_, index) => (index === 0 ? 'left' : 'right')),
    style: { head: [], border: [], compact: true },
  });
  const named = [...bench.models, ...bench.tables.map((times) => ({ ...times, name: `table of ${times.rows} rows` }))];
  table.push(...named.map(rowOf));
  return [
    'Microseconds a run, milliseconds a compilation; × is how many times faster ours is.',
    table.toString(),
    ...slowOnes(bench.models),
    ...targets(bench).map(([met, text]) => `${met ? 'met   ' : 'MISSED'}  ${text}`),
  ].join('\n');
}

function rowOf({ name, scripted, ours, theirs }: ModelTimes): string[] {
  const ratio = (of: number | undefined, to: number): string => (of === undefined ? '—' : (of / to).toFixed(1));
  const time = (of: number | undefined): string => (of === undefined ? '—' : of.toFixed(of < 10 ? 2 : 1));
  return [
    scripted ? `${name} (JavaScript)` : name,
    time(ours.plain),
    time(theirs?.alone),
    ratio(theirs?.alone, ours.plain),
    time(theirs?.crowd),
    ratio(theirs?.crowd, ours.plain),
    time(ours.traced),
    time(theirs?.traced),
    ratio(theirs?.traced, ours.traced),
    time(ours.compileMs),
    time(theirs?.compileMs),
  ];
}

/** Whether ours is less than three times as fast as the package with 32 calls in flight. */
export function isSlow({ ours, theirs }: Pick<ModelTimes, 'ours' | 'theirs'>): boolean {
  return theirs !== undefined && theirs.crowd / ours.plain < 3;
}

const whySlow =
  'its time is that of its JavaScript, which both run in QuickJS: ours on one thread, in WebAssembly and from a fresh state for each run; the package natively and on all cores';

function slowOnes(models: readonly ModelTimes[]): string[] {
  return models
    .filter(isSlow)
    .map(({ name, scripted }) => `below 3 times: ${name}${scripted ? `; ${whySlow}` : ', measured twice'}`);
}

/** Each target of issue 3 and whether it is met. */
function targets({ models, tables, memory }: Bench): [met: boolean, text: string][] {
  const both = models.flatMap(({ ours, theirs }) => (theirs === undefined ? [] : [{ ours, theirs }]));
  const of = (times: (one: (typeof both)[number]) => number): number => median(both.map(times));
  const [plain, traced, compiled] = [
    of(({ ours }) => ours.plain),
    of(({ ours }) => ours.traced),
    of(({ ours }) => ours.compileMs),
  ];
  const [alone, crowd, crowdTraced] = [
    of(({ theirs }) => theirs.alone),
    of(({ theirs }) => theirs.crowd),
    of(({ theirs }) => theirs.traced),
  ];
  const many = tables[0];
  const after = memory[0]?.residentMb ?? 0;
  const end = memory.at(-1)?.residentMb ?? 0;
  const times = (theirs: number, ours: number): string =>
    `${theirs.toFixed(1)} / ${ours.toFixed(2)} = ${(theirs / ours).toFixed(1)}`;
  return [
    [alone / plain >= 10, `plain, package one at a time: ${times(alone, plain)}, at least 10`],
    [crowd / plain >= 5, `plain, package with 32 in flight: ${times(crowd, plain)}, at least 5`],
    [crowdTraced / traced >= 10, `traced, package with 32 in flight: ${times(crowdTraced, traced)}, at least 10`],
    [compiled < 2, `compilation of a model: ${compiled.toFixed(2)} ms, under 2`],
    ...(many === undefined
      ? []
      : ([
          [
            many.ours.compileMs < 60,
            `compilation of ${many.rows} rows: ${many.ours.compileMs.toFixed(1)} ms, under 60`,
          ],
          [
            many.lastRow <= 3 * many.firstRow,
            `last of ${many.rows} rows: ${many.lastRow.toFixed(2)} us, first ${many.firstRow.toFixed(2)}, at most 3 times`,
          ],
        ] as [boolean, string][])),
    [
      end <= after * 1.05,
      `resident memory after a tenth of a million runs ${after.toFixed(0)} MB, after all ${end.toFixed(0)} MB`,
    ],
  ];
}
