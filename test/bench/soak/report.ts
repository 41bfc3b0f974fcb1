import { printable, table } from '../../../src/cli/table.js';
import { page } from '../page.js';
import { plot, type Series } from '../plot.js';
import { median } from '../quantile.js';
import type { Audit } from './ledger.js';
import { flatnessOf, flatRule, judgedFromSeconds, type Sample } from './memory.js';
import type { KindSummary, Second } from './tally.js';
import type { Spell } from './weather.js';

/** All that one run found. */
export interface Soak {
  readonly about: {
    readonly node: string;
    readonly seed: number;
    readonly seconds: number;
    readonly processes: number;
    readonly connections: number;
    readonly faults: boolean;
  };
  readonly kinds: readonly KindSummary[];
  readonly audit: Audit;
  readonly findings: readonly { readonly text: string; readonly times: number }[];
  readonly spells: readonly Pick<Spell, 'name' | 'fromMs' | 'untilMs'>[];
  readonly seconds: readonly (Second & { readonly at: number })[];
  readonly memory: Readonly<Record<string, readonly Sample[]>>;
}

/** `load` is this program, which keeps what it was told of every execution. */
const growing = 'load';

/** What should not have been; empty when all is well. */
export function faultsOf({ about, audit, findings, memory }: Soak): string[] {
  const found = findings.map(({ text, times }) => `${text} (${times} times)`);
  for (const name of ['lost', 'duplicated', 'different', 'unasked'] as const) {
    if (audit[name] > 0) found.push(`${audit[name]} executions are ${explained[name]}`);
  }
  if (audit.acknowledged === 0) found.push('no execution was acknowledged');
  if (!isMemoryJudged(about)) return found;
  for (const [name, samples] of Object.entries(memory)) {
    if (name !== growing && !flatnessOf(samples).flat) found.push(`the memory of ${name} is not flat`);
  }
  return found;
}

/** What is killed and comes back has no slope to speak of. */
const isMemoryJudged = ({ faults, seconds }: Soak['about']): boolean => !faults && seconds >= judgedFromSeconds;

const explained = {
  lost: 'acknowledged and not in the database',
  duplicated: 'recorded more than once',
  different: 'recorded with another version, status or result than was answered',
  unasked: 'recorded though the answer said that nothing was run',
};

/** For a terminal of 100 columns. */
export function reportText(soak: Soak): string {
  const { about, audit, kinds, memory } = soak;
  const rows = kinds.map(({ kind, requests, p50Ms, p99Ms, slowestMs, answers }) => [
    kind,
    requests,
    ...[p50Ms, p99Ms, slowestMs].map((ms) => ms.toFixed(1)),
    Object.entries(answers)
      .map(([label, count]) => `${count} × ${label}`)
      .join(', '),
  ]);
  const faults = faultsOf(soak);
  return [
    `${about.seconds.toFixed(0)} s, ${about.connections} connections, ${about.processes} server process(es), seed ${about.seed}`,
    ...kindLines(rows),
    '',
    `${audit.acknowledged} executions acknowledged, ${audit.rows} in the database: ${audit.lost} lost, ` +
      `${audit.duplicated} duplicated, ${audit.different} different, ${audit.unasked} unasked for.`,
    ...spellLines(soak),
    '',
    table(['memory, MB', 'after 1/10', 'middle', 'end', 'floor grew', ''], memoryRows(memory)),
    isMemoryJudged(about) ? flatRule : `Memory is judged from ${judgedFromSeconds} s on, without faults.`,
    '',
    faults.length === 0 ? 'All is well.' : `Not well:\n${faults.map((fault) => `  ${printable(fault)}`).join('\n')}`,
  ].join('\n');
}

/** Answers stand in lines of their own: there may be many. */
function kindLines(rows: readonly (readonly unknown[])[]): string[] {
  const answers = rows.map((row) => `  ${String(row[0])}: ${String(row.at(-1))}`);
  return [
    table(
      ['', 'requests', 'p50 ms', 'p99 ms', 'slowest'],
      rows.map((row) => row.slice(0, -1)),
    ),
    ...answers,
  ];
}

function memoryRows(memory: Soak['memory']): unknown[][] {
  return Object.entries(memory).map(([name, samples]) => {
    const { grownMb, flat, mb } = flatnessOf(samples);
    const after = samples.find(({ at }) => at >= (samples.at(-1)?.at ?? 0) / 10)?.mb ?? 0;
    const verdict = name === growing ? 'keeps every answer' : flat ? 'flat' : 'not flat';
    return [name, ...[after, mb, samples.at(-1)?.mb ?? 0, grownMb].map((each) => each.toFixed(1)), verdict];
  });
}

function spellLines({ spells }: Soak): string[] {
  if (spells.length === 0) return [];
  const lines = spells.map(
    ({ name, fromMs, untilMs }) =>
      `  ${(fromMs / 1000).toFixed(1)} s: ${name}, ${((untilMs - fromMs) / 1000).toFixed(1)} s`,
  );
  return ['', 'Faults:', ...lines];
}

/** The same with plots, as one file that needs no other. */
export function reportHtml(soak: Soak): string {
  const { seconds, memory } = soak;
  const over = (name: string, value: (second: Second) => number): Series => ({
    name,
    points: thinned(seconds.map((second) => ({ at: second.at, y: value(second) }))),
  });
  const memories = Object.entries(memory).filter(([name]) => name !== growing);
  const memorySeries = memories.map(([name, samples]) => ({
    name,
    points: thinned(samples.map(({ at, mb }) => ({ at, y: mb }))),
  }));
  const plots = [
    plot('Requests per second', 'seconds', [over('requests', ({ requests }) => requests)]),
    plot('Latency, milliseconds', 'seconds', [over('p50', ({ p50Ms }) => p50Ms), over('p99', ({ p99Ms }) => p99Ms)]),
    ...memorySeries.map((series) => plot(`Memory of ${series.name}, MB`, 'seconds', [series])),
  ];
  const title = `Verdict: soak of ${new Date().toISOString().slice(0, 10)}`;
  const text = reportText(soak).replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return page(title, `<h1>${title}</h1>\n<div class="plots">${plots.join('\n')}</div>\n<pre>${text}</pre>`);
}

const maxPoints = 120;

/** Medians of neighbours, so that a plot of an hour can be read. */
function thinned(points: readonly { readonly at: number; readonly y: number }[]): Series['points'] {
  const step = Math.max(1, Math.ceil(points.length / maxPoints));
  const kept: { x: string; y: number }[] = [];
  for (let from = 0; from < points.length; from += step) {
    const some = points.slice(from, from + step);
    kept.push({ x: String(Math.round(some[0]?.at ?? 0)), y: median(some.map(({ y }) => y)) });
  }
  return kept;
}
