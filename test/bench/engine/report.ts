import type { Sample } from './memory.js';
import { median } from '../numbers.js';
import { atLeast, atMost, type Report, type Wanted } from '../report.js';
import type { OurTimes } from './ours.js';
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
  readonly models: readonly ModelTimes[];
  readonly tables: readonly TableTimes[];
  readonly memory: readonly Sample[];
}

const headings = [
  ...['model', 'plain', 'package', '×', '32 at once', '×', 'traced', '32 traced', '×', 'compile', 'package'],
];

/** Times of runs are microseconds, of compilations milliseconds. */
export function engineReport(bench: Bench): Report {
  const named = [...bench.models, ...bench.tables.map((times) => ({ ...times, name: `table of ${times.rows} rows` }))];
  return {
    parts: [
      'Microseconds a run, milliseconds a compilation; × is how many times faster ours is.',
      { headings, rows: named.map(rowOf) },
      ...slowOnes(bench.models),
    ],
    wanted: wantedOf(bench),
    found: bench,
  };
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

function wantedOf({ models, tables, memory }: Bench): Wanted[] {
  const both = models.flatMap(({ ours, theirs }) => (theirs === undefined ? [] : [{ ours, theirs }]));
  const of = (times: (one: (typeof both)[number]) => number): number => median(both.map(times));
  const plain = of(({ ours }) => ours.plain);
  const traced = of(({ ours }) => ours.traced);
  const residentMb = memory.map((sample) => sample.residentMb);
  return [
    atLeast('plain, times the package one at a time', of(({ theirs }) => theirs.alone) / plain, 10),
    atLeast('plain, times the package with 32 in flight', of(({ theirs }) => theirs.crowd) / plain, 5),
    atLeast('traced, times the package with 32 in flight', of(({ theirs }) => theirs.traced) / traced, 10),
    atMost(
      'ms to compile a model',
      of(({ ours }) => ours.compileMs),
      2,
    ),
    ...tables
      .slice(0, 1)
      .flatMap(({ rows, ours, lastRow, firstRow }) => [
        atMost(`ms to compile ${rows} rows`, ours.compileMs, 60),
        atMost(`the last of ${rows} rows, times the first`, lastRow / firstRow, 3),
      ]),
    atMost(
      'memory after a million runs, times that after a tenth',
      (residentMb.at(-1) ?? 0) / (residentMb[0] ?? 0),
      1.05,
    ),
  ];
}
