import { table } from '../../../src/cli/table.js';
import { page } from '../page.js';
import { plot, type Series } from '../plot.js';
import { factorOf, proof } from './proof.js';
import { sameSettings, summarise, type BatchSpeed, type Findings, type Settings, type Trial } from './sweep.js';

export interface About {
  readonly cores: number;
  readonly node: string;
  readonly seconds: number;
  readonly targetMs: number;
  readonly rounds: number;
}

/** Table, recommendation and proof, for a terminal. */
export function reportText(findings: Findings, about: About): string {
  return [
    table(headings(about), rowsOf(findings)),
    '',
    ...environmentLines(findings.best),
    '',
    proof(findings),
    batchText(findings),
  ].join('\n');
}

/** The same with plots, as one file that needs no other. */
export function reportHtml(findings: Findings, about: About): string {
  const rows = rowsOf(findings).map(
    (row) => `<tr class="${row.at(-1) ?? ''}">${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`,
  );
  const head = headings(about).map((name) => `<th>${name}</th>`);
  return page(
    `Verdict: tuning of ${new Date().toISOString().slice(0, 10)}`,
    `<h1>What serves best on this machine</h1>
<p>${about.cores} cores, Node ${about.node}; each point is the median of ${about.rounds} measurements of ${about.seconds} s.
An answer counts as in time within ${about.targetMs} ms. Load, server and database share the machine. These settings serve best:</p>
<pre>${environmentLines(findings.best).join('\n')}</pre>
<p>${proof(findings)}</p>
<p>${batchText(findings)}</p>
<h2>Processes and threads</h2>
<div class="plots">${threadPlots(findings)}</div>
<h2>Queue limit, under more load than the machine can take</h2>
<div class="plots">${queuePlots(findings)}</div>
<h2>All measurements</h2>
<div class="wide"><table><thead><tr>${head.join('')}</tr></thead><tbody>${rows.join('\n')}</tbody></table></div>`,
  );
}

const headings = ({ targetMs }: About): string[] => [
  'processes',
  'threads',
  'queue',
  'at once',
  'answers/s',
  `in ${targetMs} ms`,
  'to worst',
  'refused/s',
  'failed',
  'p50/p99 ms',
  '',
];

const factorText = (factor: number | undefined): string => (factor === undefined ? '' : `${factor.toFixed(2)} x`);

function rowsOf(findings: Findings): string[][] {
  const { trials, best, worst } = findings;
  return summarise(trials).map(({ settings, connections, measured }) => [
    String(settings.processes),
    String(settings.threads),
    String(settings.queue),
    String(connections),
    measured.perSecond.toFixed(0),
    measured.inTimePerSecond.toFixed(0),
    // Loads that differ can't be compared.
    connections === trials[0]?.connections ? factorText(factorOf(findings, settings)) : '',
    measured.refusedPerSecond.toFixed(0),
    String(measured.failed),
    `${measured.p50Ms.toFixed(1)}/${measured.p99Ms.toFixed(1)}`,
    sameSettings(settings, best) ? 'best' : sameSettings(settings, worst) ? 'worst' : '',
  ]);
}

function environmentLines({ processes, threads, queue }: Settings): string[] {
  return [
    `HTTP_PROCESSES=${processes}`,
    `POOL_MIN_THREADS=${threads}`,
    `POOL_MAX_THREADS=${threads}`,
    `POOL_MAX_QUEUE=${queue}`,
  ];
}

/** What the best setting gives to batches, and which gives most. */
function batchText({ best, batches }: Findings): string {
  const isPair = ({ settings }: BatchSpeed): boolean =>
    settings.processes === best.processes && settings.threads === best.threads;
  const own = batches.find(isPair)?.perSecond ?? 0;
  const [most] = batches;
  if (most === undefined) return '';
  const { processes, threads } = most.settings;
  return (
    `In batches these settings give ${own.toFixed(0)} executions a second; ` +
    (isPair(most)
      ? 'none gives more.'
      : `most is ${most.perSecond.toFixed(0)}, with ${processes} processes of ${threads} threads.`)
  );
}

function threadPlots({ trials }: Findings): string {
  const usual = summarise(trials.filter(({ connections }) => connections === trials[0]?.connections));
  const processes = [...new Set(usual.map(({ settings }) => settings.processes))];
  const series = (value: (trial: Trial) => number): Series[] =>
    processes.map((count) => ({
      name: `${count} process${count === 1 ? '' : 'es'}`,
      points: usual
        .filter(({ settings }) => settings.processes === count)
        .map((trial) => ({ x: String(trial.settings.threads), y: value(trial) })),
    }));
  return (
    plot(
      'Answers per second',
      'threads per process',
      series(({ measured }) => measured.perSecond),
    ) +
    plot(
      'p99, milliseconds',
      'threads per process',
      series(({ measured }) => measured.p99Ms),
    )
  );
}

function queuePlots({ trials }: Findings): string {
  const overload = summarise(trials.filter(({ connections }) => connections !== trials[0]?.connections));
  const points = (value: (trial: Trial) => number): Series['points'] =>
    overload.map((trial) => ({ x: String(trial.settings.queue), y: value(trial) }));
  return (
    plot('Answers per second', 'queue limit', [
      { name: 'all', points: points(({ measured }) => measured.perSecond) },
      { name: 'in time', points: points(({ measured }) => measured.inTimePerSecond) },
      { name: 'refused', points: points(({ measured }) => measured.refusedPerSecond) },
    ]) + plot('p99, milliseconds', 'queue limit', [{ name: 'p99', points: points(({ measured }) => measured.p99Ms) }])
  );
}
