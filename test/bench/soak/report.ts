import { median } from '../numbers.js';
import type { Plot, Series } from '../plot.js';
import type { Report, Rows } from '../report.js';
import { faultsOf, growing, judgedRule, memoryOf, type Soak } from './judge.js';
import { flatRule } from './memory.js';
import type { Second } from './tally.js';

/** All that one run found, and what should not have been. */
export function soakReport(soak: Soak): Report {
  const { about, kinds, audit } = soak;
  const requests = kinds.reduce((sum, kind) => sum + kind.requests, 0);
  const faults = faultsOf(soak);
  return {
    parts: [
      `${whole(requests)} requests in ${whole(about.seconds)} s by ${about.connections} connections to ${about.processes} server ` +
        `processes; seed ${about.seed}.`,
      {
        headings: ['', 'requests', 'p50 ms', 'p99 ms', 'slowest'],
        rows: kinds.map(({ kind, requests: count, p50Ms, p99Ms, slowestMs }) => [
          kind,
          whole(count),
          ...[p50Ms, p99Ms, slowestMs].map((ms) => ms.toFixed(1)),
        ]),
      },
      ...kinds.map((each) => `  ${each.kind}: ${counted(each.answers)}`),
      `\n${whole(audit.acknowledged)} executions acknowledged, ${whole(audit.replayed)} of them an earlier answer again; ` +
        `${whole(audit.rows)} in the database, held against that in ${whole(soak.auditSeconds)} s: ${audit.lost} lost, ` +
        `${audit.duplicated} duplicated, ${audit.different} different, ${audit.unasked} unasked for.`,
      memoryRows(soak),
      `${flatRule} ${judgedRule}`,
      { plots: plotsOf(soak) },
    ],
    wanted: faults.length === 0 ? [{ text: 'All is well', met: true }] : faults.map((text) => ({ text, met: false })),
    found: soak,
  };
}

function memoryRows({ about, memory }: Soak): Rows {
  const rows = Object.entries(memory).map(([name, lives]) => {
    const { grownMb, mb, verdict } = memoryOf(about, name, lives);
    const numbers = [mb, lives.at(-1)?.samples.at(-1)?.mb ?? 0, grownMb].map((each) => each.toFixed(1));
    return [name, String(lives.length), ...numbers, verdict];
  });
  return { headings: ['memory, MB', 'lives', 'median', 'end', 'grew', ''], rows };
}

function plotsOf({ seconds, memory }: Soak): Plot[] {
  const over = (name: string, value: (second: Second) => number): Series => ({
    name,
    points: thinned(seconds.map((second) => ({ at: second.at, y: value(second) }))),
  });
  const axis = 'seconds';
  const times = [over('p50', ({ p50Ms }) => p50Ms), over('p99', ({ p99Ms }) => p99Ms)];
  const memories = Object.entries(memory).filter(([name]) => name !== growing);
  return [
    { title: 'Requests per second', axis, series: [over('requests', ({ requests }) => requests)] },
    { title: 'Latency, milliseconds', axis, series: times },
    ...memories.map(([name, lives]) => {
      const points = lives.flatMap(({ samples }) => samples.map(({ at, mb }) => ({ at, y: mb })));
      return { title: `Memory of ${name}, MB`, axis, series: [{ name, points: thinned(points) }] };
    }),
  ];
}

const maxPoints = 120;
const stepOf = (points: number): number => Math.max(1, Math.ceil(points / maxPoints));

/** Medians of neighbours, so that a plot of an hour can be read. */
function thinned(points: readonly { readonly at: number; readonly y: number }[]): Series['points'] {
  const step = stepOf(points.length);
  return Array.from({ length: Math.ceil(points.length / step) }, (_, index) => {
    const some = points.slice(index * step, (index + 1) * step);
    return { x: String(Math.round(some[0]?.at ?? 0)), y: median(some.map(({ y }) => y)) };
  });
}

const counted = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .map(([label, count]) => `${whole(count)} × ${label}`)
    .join(', ');

const whole = (value: number): string => Math.round(value).toLocaleString('en');
