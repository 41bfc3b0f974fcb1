import { median, ratioOf } from './numbers.js';
import type { Measured } from './load.js';
import type { Plot, Series } from './plot.js';
import type { Report } from './report.js';
import { noise, sameSettings, summarise, type Findings, type Settings, type Trial } from './sweep.js';

export interface About {
  readonly cores: number;
  readonly seconds: number;
  readonly targetMs: number;
  readonly rounds: number;
}

/** Recommendation, proof, plots and table. */
export function tuneReport(findings: Findings, about: About): Report {
  const { processes, threads, queue } = findings.best;
  return {
    parts: [
      `${about.cores} cores; each number is the median of ${about.rounds} measurements of ${about.seconds} s, of fewer where time ran out. An answer counts as ` +
        `in time within ${about.targetMs} ms. Load, server and database share the machine. These settings serve best:\n`,
      `HTTP_PROCESSES=${processes}\nPOOL_MIN_THREADS=${threads}\nPOOL_MAX_THREADS=${threads}\nPOOL_MAX_QUEUE=${queue}\n`,
      proof(findings),
      { plots: [...threadPlots(findings), ...queuePlots(findings)] },
      { headings: headings(about), rows: rowsOf(findings) },
    ],
    found: { ...about, ...findings },
  };
}

const headings = ({ targetMs }: About): string[] => [
  ...['processes', 'threads', 'queue', 'at once', 'answers/s', `in ${targetMs} ms`],
  ...['to worst', 'refused/s', 'errors', 'p50/p99 ms', ''],
];

function rowsOf(findings: Findings): (string | number)[][] {
  const { trials, best, worst } = findings;
  return summarise(trials).map(({ settings, connections, measured }) => {
    // Loads that differ can't be compared.
    const factor = connections === trials[0]?.connections ? factorOf(findings, settings) : NaN;
    return [
      ...[settings.processes, settings.threads, settings.queue, connections],
      ...[measured.perSecond.toFixed(0), measured.inTimePerSecond.toFixed(0)],
      Number.isNaN(factor) ? '' : `${factor.toFixed(2)} x`,
      ...[measured.refusedPerSecond.toFixed(0), measured.errors],
      `${measured.p50Ms.toFixed(1)}/${measured.p99Ms.toFixed(1)}`,
      sameSettings(settings, best) ? 'best' : sameSettings(settings, worst) ? 'worst' : '',
    ];
  });
}

const inTime = (rounds: readonly Measured[]): number[] => rounds.map(({ inTimePerSecond }) => inTimePerSecond);

/** Under the first load, under which processes and threads are compared. */
const usualRounds = ({ trials }: Findings, settings: Settings): number[] =>
  inTime(
    trials
      .filter((trial) => trial.connections === trials[0]?.connections && sameSettings(trial.settings, settings))
      .map(({ measured }) => measured),
  );

/** How many times the worst setting's answers in time a setting has; NaN where it was not measured. */
const factorOf = (findings: Findings, settings: Settings): number =>
  ratioOf(usualRounds(findings, settings), usualRounds(findings, findings.worst));

/** Best and worst were measured again, in turns, after the sweep: whether the factor of the table holds. */
function proof(findings: Findings): string {
  const { best, worst, repeated } = findings;
  const [bests, worsts] = [inTime(repeated.best), inTime(repeated.worst)];
  // The queue limit was chosen later, under another load.
  const expected = factorOf(findings, { ...best, queue: worst.queue });
  const factor = ratioOf(bests, worsts);
  const holds = factor > 1 && factor >= expected * (1 - noise);
  return (
    `By the table the best answers ${expected.toFixed(2)} times as many in time as the worst. Measured again in turns: best ` +
    `${median(bests).toFixed(0)} answers in time per second, worst ${median(worsts).toFixed(0)}: ${factor.toFixed(2)} times as ` +
    `many. ${holds ? 'Confirmed.' : 'Not confirmed: this machine is not quiet enough, or SECONDS is too small.'}`
  );
}

type Value = (measured: Measured) => number;

function threadPlots({ trials }: Findings): Plot[] {
  const usual = summarise(trials.filter(({ connections }) => connections === trials[0]?.connections));
  const processes = [...new Set(usual.map(({ settings }) => settings.processes))];
  const series = (value: Value): Series[] =>
    processes.map((count) => ({
      name: `${count} process${count === 1 ? '' : 'es'}`,
      points: pointsOf(
        usual.filter(({ settings }) => settings.processes === count),
        'threads',
        value,
      ),
    }));
  return [
    { title: 'Answers per second', axis: 'threads per process', series: series(({ perSecond }) => perSecond) },
    { title: 'p99, milliseconds', axis: 'threads per process', series: series(({ p99Ms }) => p99Ms) },
  ];
}

function queuePlots({ trials }: Findings): Plot[] {
  const overload = summarise(trials.filter(({ connections }) => connections !== trials[0]?.connections));
  const of = (name: string, value: Value): Series => ({ name, points: pointsOf(overload, 'queue', value) });
  const speeds = [
    of('all', ({ perSecond }) => perSecond),
    of('in time', ({ inTimePerSecond }) => inTimePerSecond),
    of('refused', ({ refusedPerSecond }) => refusedPerSecond),
  ];
  return [
    { title: 'Answers per second', axis: 'queue limit', series: speeds },
    { title: 'p99, milliseconds', axis: 'queue limit', series: [of('p99', ({ p99Ms }) => p99Ms)] },
  ];
}

const pointsOf = (trials: readonly Trial[], axis: keyof Settings, value: Value): Series['points'] =>
  trials.map(({ settings, measured }) => ({ x: String(settings[axis]), y: value(measured) }));
