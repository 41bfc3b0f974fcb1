import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { inTurns, measure, setting, type Bed } from './bed.js';
import { decisionPath, readSubject, subject } from './decision.js';
import { load, together, type Measured, type Target } from './load.js';
import { median, ratioOf } from './numbers.js';
import { startMeter } from './processes.js';
import { atLeast, atMost, type Report, type Rows, type Wanted } from './report.js';
import { steadily } from './steady.js';
import { facts, ownTargets, startPeers, type Shape, type Targets } from './targets.js';
import { base, openVersion } from './version.js';

// `make bench`: the full path of an execution against its peers, in one run on one machine, taking turns.
// SECONDS=5 a measurement in ROUNDS=5, CONNECTIONS=32,256, PROCESSES=1,2 of the server. DURABLE=1: MySQL flushes each commit to the disk.
// DECISION=a file of JDM with tests, or a document of DMN's kit, in place of the
// demo's. BASE=a folder with another version, built: the peer is that version, each on a database of its own. BESIDE=another
// file like DECISION: the peer is the same server with that decision, which a document of DMN is held against.

const rounds = setting('ROUNDS', 5);
const seconds = setting('SECONDS', 5);
const connections = (process.env.CONNECTIONS ?? '32,256').split(',').map(Number);
const processes = (process.env.PROCESSES ?? '1,2').split(',').map(Number);
/** Compiled code of a process that has just started is slow for seconds, which is not what is compared. */
const firstWarmSeconds = 8;
/** Ends the name of what the version of BASE answers. */
const ofBase = ', before';
/** Ends the name of what the decision of BESIDE answers. */
const ofBeside = ', beside';
const beside = process.env.BESIDE ? readSubject('BESIDE') : undefined;
/** Times of the main thread for a document of DMN, of that for JDM: dmn.md wants the same, and a tenth is noise. */
const mostOfJdm = 1.1;
/** At a rate that leaves most of two cores free, what an execution waits for is ours: leaves of evidence, and the collector. */
const steady = { perSecond: 1000, seconds: 10 };
const mostSteadyMs = 12;

/** One fact and number of connections: what each peer did in the rounds that took turns. */
interface Block {
  readonly fact: string;
  readonly connections: number;
  readonly peers: Readonly<Record<string, readonly Measured[]>>;
}

async function run(bed: Bed): Promise<Report> {
  const isAlone = base === undefined && beside === undefined;
  const peers = await startPeers(
    { ...bed, databaseUrl: bed.services.databaseUrl },
    isAlone ? ['koa', 'fastify', 'fastify-traced', 'fastify-recorded'] : [],
    decisionPath,
  );
  const targets = new Map(peers);
  const versions = [{ version: await openVersion(bed), suffix: '' }];
  if (base !== undefined) versions.push({ version: await openVersion(bed, base), suffix: ofBase });
  for (const count of processes) {
    for (const { version, suffix } of versions) {
      const server = await version.server(settingsOf(count));
      const add = async (of = subject, ending = suffix): Promise<void> => {
        for (const [name, target] of await ownTargets(server, bed.watched, { sceneOf: version.scene, of }))
          targets.set(`${name}${count === 1 ? '' : `, ${count} processes`}${ending}`, target);
      };
      await add();
      if (beside !== undefined) await add(beside, ofBeside);
    }
  }
  const blocks = await measureAll(targets);
  const send = targets.get('execution');
  const alone = isAlone && send !== undefined ? [(await steadily(send(facts.small), steady)).p99Ms] : [];
  const parts = [...blocks.flatMap((block) => [titleOf(block), rowsOf(block)]), notes];
  const small = blocks.slice(0, 1);
  const wanted = [
    ...(beside === undefined ? [] : [await costBeside(targets)]),
    ...(isAlone ? small.flatMap(besidePeers) : []),
    ...alone.map((p99Ms) => atMost(`p99 of an execution at ${steady.perSecond} a second, in ms`, p99Ms, mostSteadyMs)),
  ];
  return { parts, wanted, found: { decision: basename(decisionPath), seconds, processes, blocks } };
}

/** What is wanted of a process: most of the speed of a peer that promises nothing, and more than one that promises the same. */
function besidePeers({ peers }: Block): readonly Wanted[] {
  const of = (name: string): readonly Measured[] => peers[name] ?? [];
  const ratio = (ours: string, other: string): number =>
    ratioOf(
      of(ours).map(({ perSecond }) => perSecond),
      of(other).map(({ perSecond }) => perSecond),
    );
  const p99 = (name: string): number => median(of(name).map(({ p99Ms }) => p99Ms));
  return [
    atLeast('executions, times those of Fastify and the engine alone', ratio('execution', 'fastify'), 0.75),
    atLeast('traced evaluations, times those of Fastify', ratio('evaluation (traced)', 'fastify-traced'), 3),
    atLeast(
      'executions, times those of a peer that checks tokens and records',
      ratio('execution', 'fastify-recorded'),
      2.5,
    ),
    atMost("p99 of an execution, times that peer's", p99('execution') / p99('fastify-recorded'), 1),
  ];
}

/**
 * What an execution of DECISION costs the main thread, as times what one of BESIDE costs it, at one rate for both: the fewer
 * requests it does in a turn, the more each costs, so that at full speed the model that takes its threads longer seems dearer.
 */
async function costBeside(targets: Targets): Promise<Wanted> {
  const costOf = (name: string) => async (): Promise<number> => {
    const target = targets.get(name)?.(facts.small);
    if (target === undefined) throw new Error(`no target ${name}`);
    const used = startMeter(target.watched ?? []);
    const { answered } = await steadily(target, steady);
    return (used()['main'] ?? NaN) / answered;
  };
  const ours = costOf('execution');
  const costs = await inTurns(rounds, { ours, theirs: costOf(`execution${ofBeside}`) });
  const name = `the main thread's time of an execution at ${steady.perSecond} a second, times that of BESIDE`;
  return atMost(name, ratioOf(costs.ours, costs.theirs), mostOfJdm);
}

/** The threads of all processes are no more than those of one. */
function settingsOf(count: number): Record<string, string> {
  const threads = Math.max(1, Math.floor(availableParallelism() / count));
  return { HTTP_PROCESSES: String(count), POOL_MAX_THREADS: String(threads) };
}

async function measureAll(targets: Targets): Promise<Block[]> {
  const blocks: Block[] = [];
  for (const [fact, shape] of Object.entries(facts)) {
    for (const count of connections) {
      const send =
        (of: (shape: Shape) => Target, each: number): (() => Promise<Measured>) =>
        () =>
          load(of(shape), { connections: count, seconds: each });
      for (const [, target] of targets) await send(target, blocks.length === 0 ? firstWarmSeconds : 1)();
      const all = Object.fromEntries(Array.from(targets, ([name, target]) => [name, send(target, seconds / rounds)]));
      blocks.push({ fact, connections: count, peers: await inTurns(rounds, all) });
    }
  }
  return blocks;
}

const titleOf = ({ fact, connections: count }: Block): string => `\n${fact} fact, ${count} connections`;

const notes = `server, MySQL, Redis, load: processor time per request in microseconds, of all threads; load is what asks.
main is of the server's the main thread, where it is one process. ratio: requests per second, execution to fastify and
evaluation to fastify-traced, or each to the version of BASE or the decision of BESIDE: the median of the rounds, as the
machine is not equally fast all the time. fastify-recorded verifies a JWT and commits a record in the same MySQL. The peers are one process each; the native engine has threads of its own.`;

function rowsOf({ peers }: Block): Rows {
  const speeds = (name: string): number[] => (peers[name] ?? []).map(({ perSecond }) => perSecond);
  const rows = Object.entries(peers).map(([peer, measured]) => {
    const { perSecond, p50Ms, p99Ms, errors, cpuUs } = together(measured);
    const rival =
      [`${peer}${ofBase}`, `${peer}${ofBeside}`].find((name) => name in peers) ??
      (peer.startsWith('evaluation') ? 'fastify-traced' : 'fastify');
    const ratio = ratioOf(speeds(peer), speeds(rival));
    const us = (name: string): string => cpuUs[name]?.toFixed(0) ?? '';
    const servers = Object.keys(cpuUs).filter((name) => /^(primary|server)/.test(name));
    const costs = [servers.map(us).join('+'), us('main'), us('MySQL'), us('Redis'), us('load')];
    const times = [perSecond.toFixed(0), p50Ms.toFixed(1), p99Ms.toFixed(1), errors];
    return [peer, ...times, ...costs, Number.isNaN(ratio) ? '' : ratio.toFixed(2)];
  });
  return {
    headings: ['', 'per s', 'p50 ms', 'p99 ms', 'errors', 'server', 'main', 'MySQL', 'Redis', 'load', 'ratio'],
    rows,
  };
}

await measure('http', run, process.env.DURABLE === '1' ? 'production' : undefined);
