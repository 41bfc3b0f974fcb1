import { setTimeout as sleep } from 'node:timers/promises';
import { idToBytes } from '../../src/storage/ids.js';
import type { ServerProcess } from '../support/process.js';
import { buildScene, testDatabase } from '../support/scene.js';
import { inTurns, measure, setting, type Bed } from './bed.js';
import { deployDecision, targetOf, type Executable } from './decision.js';
import { load, together, type Measured, type Target } from './load.js';
import { ratioOf } from './numbers.js';
import { residentBytes, serverProcesses, startMeter } from './processes.js';
import { atLeast, atMost, type Report } from './report.js';
import { openStream, type Stream } from './stream.js';
import { recordedRows } from '../support/records.js';

// `make bench-batch`: what batches give beside single executions, and what they cost another workspace's. SECONDS of each
// measurement, ROUNDS of them, STREAMS beside CONNECTIONS; or COUNT: so many lines through one stream, and what the server
// holds meanwhile.

const seconds = setting('SECONDS', 3);
const streams = setting('STREAMS', 4);
const connections = setting('CONNECTIONS', 32);
const count = setting('COUNT', 0);
const mebibyte = 1024 * 1024;
/** A stream begins slowly. */
const warmMs = 300;

async function run(bed: Bed): Promise<Report> {
  const server = await bed.server();
  const scene = await buildScene(server);
  const deployed = await deployDecision(scene);
  // Of single executions, some are still under way when their load ends: streams have a deployment of their own.
  const watched = [...serverProcesses(server.pid), ...bed.watched];
  const single = targetOf(server, await deployDecision(scene), watched);
  const target = targetOf(server, deployed, watched);
  const other = targetOf(server, await deployDecision(await buildScene(server)));
  await scene.settled();
  return count > 0 ? measureMemory(server, target, deployed) : measureSpeed({ single, target, other }, deployed);
}

async function measureSpeed(
  { single, target, other }: Readonly<Record<'single' | 'target' | 'other', Target>>,
  deployed: Executable,
): Promise<Report> {
  const all = {
    [`singly, ${connections} connections`]: () => load(single, { connections, seconds }),
    [`in batches, ${streams} streams`]: () => speedOfStreams(target, deployed),
    'of another workspace, alone': () => load(other, { connections: 1, seconds }),
    'of another workspace, beside the streams': () => besideStreams(target, other),
  };
  for (const warm of Object.values(all)) await warm();
  const found = await inTurns(setting('ROUNDS', 3), all);
  const [singles, batches, alone, beside] = Object.values(found) as [Measured[], Measured[], Measured[], Measured[]];
  const rows = Object.entries(found).map(([name, rounds]) => {
    const { perSecond, p99Ms, cpuUs } = together(rounds);
    const costs = ['server', 'MySQL', 'load'].map((process) => cpuUs[process]?.toFixed(1) ?? '');
    return [name, perSecond.toFixed(0), p99Ms === 0 ? '' : p99Ms.toFixed(2), ...costs];
  });
  const speeds = ratioOf(
    batches.map(({ perSecond }) => perSecond),
    singles.map(({ perSecond }) => perSecond),
  );
  const waits = ratioOf(
    beside.map(({ p99Ms }) => p99Ms),
    alone.map(({ p99Ms }) => p99Ms),
  );
  return {
    parts: [{ headings: ['executions', 'a second', 'p99 ms', 'server us', 'MySQL us', 'load us'], rows }],
    wanted: [
      atLeast('Batches, each item recorded, times single executions', speeds, 5),
      atMost("Another workspace's p99 beside the streams, times the one alone", waits, 1.5),
    ],
    found: { seconds, ...found },
  };
}

const openStreams = (target: Target): Stream[] => Array.from({ length: streams }, () => openStream(target));
const sum = (all: readonly Stream[], of: 'answered' | 'failed'): number =>
  all.reduce((total, each) => total + each[of], 0);

async function besideStreams(target: Target, other: Target): Promise<Measured> {
  const open = openStreams(target);
  await sleep(warmMs);
  const measured = await load(other, { connections: 1, seconds });
  await Promise.all(open.map((stream) => stream.end()));
  return measured;
}

/** Each answered line must be a record at the end. */
async function speedOfStreams(target: Target, deployed: Executable): Promise<Measured> {
  const before = await recorded(deployed);
  const used = startMeter(target.watched ?? []);
  const open = openStreams(target);
  const start = performance.now();
  await sleep(seconds * 1000);
  const answered = sum(open, 'answered');
  const perSecond = (answered * 1000) / (performance.now() - start);
  const cpuUs = Object.fromEntries(Object.entries(used()).map(([name, us]) => [name, us / Math.max(1, answered)]));
  const whole = await Promise.all(open.map((stream) => stream.end()));
  const [all, failed, written] = [sum(open, 'answered'), sum(open, 'failed'), (await recorded(deployed)) - before];
  if (written !== all || failed > 0 || whole.includes(false))
    throw new Error(`${all} were answered, ${written} recorded, ${failed} failed; summaries: ${whole.join(' ')}`);
  const none = { inTimePerSecond: 0, refusedPerSecond: 0, p50Ms: 0, p99Ms: 0, errors: 0, others: {} };
  return { perSecond, cpuUs, ...none };
}

async function recorded({ deploymentId }: Executable): Promise<number> {
  const rows = recordedRows(testDatabase()).where({ deployment_id: idToBytes(deploymentId) });
  const [found] = await rows.count<{ count: number }[]>({ count: '*' });
  return Number(found?.count);
}

/** Memory at the end within a tenth of that after the first 100,000 lines. */
async function measureMemory({ pid }: ServerProcess, target: Target, deployed: Executable): Promise<Report> {
  const stream = openStream(target, count);
  const samples: { lines: number; megabytes: number }[] = [];
  while (stream.answered < count) {
    await sleep(100);
    const bytes = residentBytes(pid);
    if (bytes === 0) throw new Error('the server has ended');
    samples.push({ lines: stream.answered, megabytes: bytes / mebibyte });
  }
  const isWhole = await stream.end();
  const written = await recorded(deployed);
  const most = (some: typeof samples): number => Math.max(0, ...some.map(({ megabytes }) => megabytes));
  const early = most(samples.filter(({ lines }) => lines < 100_000));
  const end = residentBytes(pid) / mebibyte;
  const summary = `${early.toFixed(0)} MiB within the first 100,000, ${most(samples).toFixed(0)} at most, ${end.toFixed(0)} at the end`;
  return {
    parts: [
      `${count} lines: ${summary}`,
      {
        plots: [
          {
            title: 'Resident memory, MiB',
            axis: 'lines',
            series: [
              { name: 'server', points: samples.map(({ lines, megabytes }) => ({ x: String(lines), y: megabytes })) },
            ],
          },
        ],
      },
    ],
    wanted: [
      { text: `${written} of ${count} lines are recorded, and the summary came`, met: isWhole && written === count },
      atMost('Memory at the end, times that within the first 100,000 lines', end / early, 1.1),
    ],
    found: { count, samples },
  };
}

await measure('batch', run, process.env.DURABLE === '1' ? 'production' : undefined);
