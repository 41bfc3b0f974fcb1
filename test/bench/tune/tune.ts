import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { SingleBar } from 'cli-progress';
import { startServer, type ServerProcess } from '../../support/process.js';
import { buildScene } from '../../support/scene.js';
import { openStream } from '../batch/stream.js';
import { openBed } from '../bed.js';
import { decisionFact, deployDecision, type Executable } from '../decision.js';
import { resultFile } from '../results.js';
import { load } from './generator.js';
import { reportHtml, reportText } from './report.js';
import { stepsOf, sweep, type Findings, type Measure, type MeasureBatches, type Plan, type Settings } from './sweep.js';

// `make tune`: which processes, threads and queue limit serve best on this machine. SECONDS a measurement, TARGET_MS the
// time within which an answer counts.
const seconds = Number(process.env.SECONDS ?? 3);
const targetMs = Number(process.env.TARGET_MS ?? 200);
const cores = availableParallelism();
const plan: Plan = {
  processes: cores > 1 ? [1, Math.max(2, Math.ceil(cores / 2))] : [1],
  threads: [...new Set([1, Math.ceil(cores / 2), cores, cores * 2])].sort((a, b) => a - b),
  queues: [8, 32, 128, 500],
  connections: { usual: 32 * cores, overload: 128 * cores },
  rounds: 3,
};

const say = (text: string): void => void process.stderr.write(`${text}\n`);
say(`${stepsOf(plan)} measurements of ${seconds} s on ${cores} cores; about ${minutes(stepsOf(plan))} min.`);
const bed = await openBed('tune');
let server: { readonly process: ServerProcess; readonly processes: number } | undefined;
try {
  show(await sweepAll());
} finally {
  await server?.process.stop();
  await bed.stop();
}

async function sweepAll(): Promise<Findings> {
  const sent = await prepare();
  // At most 80 columns, with room for the longest setting.
  const format = 'Tuning {bar} {value}/{total} | {left} left | {what}';
  // Whoever presses Ctrl-C keeps the terminal as it is then: with its cursor, and wrapping lines.
  const bar = new SingleBar({ format, barsize: 18, stream: process.stderr, noTTYOutput: false, linewrap: true });
  const total = stepsOf(plan);
  const started = performance.now();
  let done = 0;
  const left = (): string => {
    const each = done === 0 ? seconds + 1.5 : (performance.now() - started) / 1000 / done;
    const rest = Math.round(each * (total - done));
    return `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, '0')}`;
  };
  bar.start(total, 0, { left: left(), what: '' });
  const announce = ({ processes, threads }: Settings, load: string): void =>
    bar.update(done, { left: left(), what: `processes ${processes}, threads ${threads}, ${load}` });
  const measure: Measure = async (settings, connections) => {
    announce(settings, `queue ${settings.queue}`);
    const fresh = server?.processes !== settings.processes;
    const target = { baseUrl: await serverWith(settings), ...sent };
    // A server that has just started has programs to compile and code to warm up; that is not what is compared.
    await load(target, { connections, seconds: fresh ? 4 : 1, targetMs });
    const measured = await load(target, { connections, seconds, targetMs });
    bar.update(++done, { left: left() });
    return measured;
  };
  const measureBatches: MeasureBatches = async (settings) => {
    announce(settings, 'batches');
    const target = { baseUrl: await serverWith(settings), executable: sent };
    await inBatches(target, 1);
    const perSecond = await inBatches(target, seconds);
    bar.update(++done, { left: left() });
    return perSecond;
  };
  try {
    return await sweep(plan, measure, measureBatches);
  } finally {
    bar.stop();
  }
}

/** A server with these settings. Threads and queue are changed as an operator would, without a restart. */
async function serverWith({ processes, threads, queue }: Settings): Promise<string> {
  if (server?.processes !== processes) {
    await server?.process.stop();
    const variables = { HTTP_PROCESSES: String(processes), POOL_MAX_QUEUE_PER_WORKSPACE: '1000', LOG_LEVEL: 'error' };
    server = { processes, process: await startServer(variables) };
  }
  const response = await fetch(`${server.process.adminUrl}/pool`, {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ minThreads: threads, maxThreads: threads, maxQueue: queue }),
  });
  if (!response.ok) throw new Error(`the pool cannot be resized: ${await response.text()}`);
  return server.process.baseUrl;
}

/** A tenant with a deployed decision, and the request that executes it. */
async function prepare(): Promise<Executable> {
  server = { processes: 1, process: await startServer({ LOG_LEVEL: 'error' }) };
  return deployDecision(await buildScene(server.process));
}

/** Executions a second that are answered on as many streams as keep the server busy. */
async function inBatches(
  target: { readonly baseUrl: string; readonly executable: Executable },
  forSeconds: number,
): Promise<number> {
  const open = Array.from({ length: 2 * cores }, () => openStream({ ...target, fact: decisionFact }));
  const start = performance.now();
  await sleep(forSeconds * 1000);
  const answered = open.reduce((sum, stream) => sum + stream.answered, 0);
  const perSecond = (answered * 1000) / (performance.now() - start);
  await Promise.all(open.map((stream) => stream.end()));
  return perSecond;
}

function show(findings: Findings): void {
  const about = { cores, node: process.version, seconds, targetMs, rounds: plan.rounds };
  const path = resultFile('tune')('html', reportHtml(findings, about));
  process.stdout.write(`${reportText(findings, about)}\n\nPlots: ${path}\n`);
}

function minutes(steps: number): string {
  return ((steps * (seconds + 1.5) + 15) / 60).toFixed(1);
}
