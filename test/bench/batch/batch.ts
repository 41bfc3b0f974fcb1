import { setTimeout as sleep } from 'node:timers/promises';
import { table } from '../../../src/cli/table.js';
import { startServer, type ServerProcess } from '../../support/process.js';
import { buildScene, testDatabase } from '../../support/scene.js';
import { idToBytes } from '../../../src/storage/ids.js';
import { openBed } from '../bed.js';
import { decisionFact, deployDecision, type Executable } from '../decision.js';
import { median } from '../http/load.js';
import { residentBytes, serverProcesses, startMeter, type Watched } from '../processes.js';
import { resultFile } from '../results.js';
import { load } from '../tune/generator.js';
import { openStream, type Stream } from './stream.js';

// What batches give beside single executions, and what they cost another workspace's. SECONDS of each measurement, ROUNDS
// of them, STREAMS beside CONNECTIONS; or COUNT: so many lines through one stream, and what the server holds meanwhile.

const seconds = Number(process.env.SECONDS ?? 3);
const rounds = Number(process.env.ROUNDS ?? 3);
const streams = Number(process.env.STREAMS ?? 4);
const connections = Number(process.env.CONNECTIONS ?? 32);
const count = Number(process.env.COUNT ?? 0);
const wantedSpeed = 5;
const wantedWait = 1.5;
const mebibyte = 1024 * 1024;

interface Speed {
  readonly perSecond: number;
  /** Of an execution, by process. */
  readonly cpuUs: Readonly<Record<string, number>>;
}

const bed = await openBed('bench-batch', process.env.DURABLE === '1');
let server: ServerProcess | undefined;
try {
  server = await startServer(
    { LOG_LEVEL: 'warn' },
    process.env.PROFILE === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${process.env.PROFILE}`],
  );
  const scene = await buildScene(server);
  const deployed = await deployDecision(scene);
  const other = await deployDecision(await buildScene(server));
  await scene.settled();
  if (count > 0) await measureMemory(server, deployed);
  else await measureSpeed(server, deployed, other);
} finally {
  await server?.stop();
  await bed.stop();
}

async function measureSpeed({ baseUrl, pid }: ServerProcess, deployed: Executable, other: Executable): Promise<void> {
  const watched = [...serverProcesses(pid), ...bed.watched];
  const single = { baseUrl, ...deployed };
  await load(single, { connections, seconds, targetMs: Infinity });
  await speedOfStreams(baseUrl, deployed, watched);
  const singles: Speed[] = [];
  const batches: Speed[] = [];
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const used = startMeter(watched);
    const { perSecond } = await load(single, { connections, seconds, targetMs: Infinity });
    singles.push(speed(perSecond, used()));
    batches.push(await speedOfStreams(baseUrl, deployed, watched));
    const asked = { baseUrl, ...other };
    alone.push((await load(asked, { connections: 1, seconds, targetMs: Infinity })).p99Ms);
    const open = openStreams(baseUrl, deployed);
    await sleep(300);
    beside.push((await load(asked, { connections: 1, seconds, targetMs: Infinity })).p99Ms);
    await Promise.all(open.map(async (stream) => stream.end()));
  }
  report({ singles, batches, alone, beside });
}

function openStreams(baseUrl: string, executable: Executable): Stream[] {
  return Array.from({ length: streams }, () => openStream({ baseUrl, executable, fact: decisionFact }));
}

function speed(perSecond: number, used: Record<string, number>): Speed {
  const cpuUs = Object.entries(used).map(([name, us]) => [name, us / (perSecond * seconds)] as const);
  return { perSecond, cpuUs: Object.fromEntries(cpuUs) };
}

/** Each answered line must be a record at the end. */
async function speedOfStreams(baseUrl: string, executable: Executable, watched: readonly Watched[]): Promise<Speed> {
  const before = await recorded(executable);
  const used = startMeter(watched);
  const open = openStreams(baseUrl, executable);
  const start = performance.now();
  await sleep(seconds * 1000);
  const answered = open.reduce((sum, stream) => sum + stream.answered, 0);
  const perSecond = (answered * 1000) / (performance.now() - start);
  const of = speed(perSecond, used());
  const whole = await Promise.all(open.map((stream) => stream.end()));
  const all = open.reduce((sum, stream) => sum + stream.answered, 0);
  const written = (await recorded(executable)) - before;
  const failed = open.reduce((sum, stream) => sum + stream.failed, 0);
  if (written !== all || failed > 0 || whole.includes(false)) {
    throw new Error(`${all} were answered, ${written} recorded, ${failed} failed; summaries: ${whole.join(' ')}`);
  }
  return of;
}

async function recorded({ deploymentId }: Executable): Promise<number> {
  const rows = (await testDatabase()('executions')
    .count({ count: '*' })
    .where({ deployment_id: idToBytes(deploymentId) })) as { count: number }[];
  return Number(rows[0]?.count);
}

interface Found {
  readonly singles: readonly Speed[];
  readonly batches: readonly Speed[];
  readonly alone: readonly number[];
  readonly beside: readonly number[];
}

function report(found: Found): void {
  const of = (speeds: readonly Speed[]): string[] => [
    median(speeds.map(({ perSecond }) => perSecond)).toFixed(0),
    ...['server', 'MySQL', 'load'].map((name) => median(speeds.map(({ cpuUs }) => cpuUs[name] ?? 0)).toFixed(1)),
  ];
  const times = median(found.batches.map(({ perSecond }, at) => perSecond / (found.singles[at]?.perSecond ?? NaN)));
  const waits = median(found.beside.map((ms, at) => ms / (found.alone[at] ?? NaN)));
  const lines = [
    table(
      ['executions', 'a second', 'server us', 'MySQL us', 'load us'],
      [
        [`singly, ${connections} connections`, ...of(found.singles)],
        [`in batches, ${streams} streams`, ...of(found.batches)],
      ],
    ),
    `Another workspace's single executions, p99: ${median(found.alone).toFixed(2)} ms alone, ${median(found.beside).toFixed(2)} ms beside ${streams} streams`,
    `Batches: ${times.toFixed(2)} times single executions (wanted: ${wantedSpeed}), each recorded`,
    `Another workspace waits ${waits.toFixed(2)} times as long, p99 (wanted: at most ${wantedWait})`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  const path = resultFile('batch')(
    'json',
    `${JSON.stringify({ node: process.version, seconds, ...found }, null, 2)}\n`,
  );
  process.stdout.write(`Saved as ${path}\n`);
  if (!(times >= wantedSpeed) || !(waits <= wantedWait)) process.exitCode = 1;
}

/** Memory at the end within a tenth of that after the first 100,000 lines. */
async function measureMemory({ baseUrl, pid }: ServerProcess, executable: Executable): Promise<void> {
  const stream = openStream({ baseUrl, executable, fact: decisionFact, items: count });
  let early = 0;
  let most = 0;
  let shown = 0;
  while (stream.answered < count) {
    await sleep(100);
    const bytes = residentBytes(pid);
    if (bytes === 0) throw new Error('the server has ended');
    if (stream.answered < 100_000) early = Math.max(early, bytes);
    most = Math.max(most, bytes);
    if (stream.answered - shown >= count / 10) {
      shown = stream.answered;
      process.stdout.write(`${shown} lines: ${(bytes / mebibyte).toFixed(0)} MiB\n`);
    }
  }
  const end = residentBytes(pid);
  const isWhole = await stream.end();
  const written = await recorded(executable);
  process.stdout.write(
    `${count} lines, ${written} recorded: ${(early / mebibyte).toFixed(0)} MiB within the first 100,000, ` +
      `${(most / mebibyte).toFixed(0)} MiB at most, ${(end / mebibyte).toFixed(0)} MiB at the end: ${(end / early).toFixed(2)} times (wanted: at most 1.1)\n`,
  );
  if (!isWhole || written !== count || end > 1.1 * early) process.exitCode = 1;
}
