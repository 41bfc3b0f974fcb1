import { availableParallelism } from 'node:os';
import { basename, resolve } from 'node:path';
import { openProgress } from '../../../src/cli/progress.js';
import { startServer, type ServerProcess } from '../../support/process.js';
import { openBed } from '../bed.js';
import { decisionPath } from '../decision.js';
import { resultFile } from '../results.js';
import { load, type Measured } from './load.js';
import { profileAll, profileText, type Profile } from './profile.js';
import { ofBase, reportText, type Row } from './report.js';
import { facts, ownTargets, startPeers, type Targets } from './targets.js';

// `make bench`: the full path of an execution against its peers, in one run on one machine, taking turns.
// SECONDS=5 a measurement, CONNECTIONS=32,256, PROCESSES=1,2 of the server. DURABLE=1: MySQL flushes each commit to the disk.
// PROFILE=1: then also where its time goes. DECISION=a file of JDM with tests, in place of the demo's. BASE=a folder with
// another version, built: the peer is that version, on the same database.

const rounds = 5;
const seconds = Number(process.env.SECONDS ?? 5);
const connections = (process.env.CONNECTIONS ?? '32,256').split(',').map(Number);
const processes = (process.env.PROCESSES ?? '1,2').split(',').map(Number);
/** Compiled code of a process that has just started is slow for seconds, which is not what is compared. */
const firstWarmSeconds = 8;

const durable = process.env.DURABLE === '1';
const base = process.env.BASE ? resolve(process.env.BASE, 'dist') : undefined;

const bed = await openBed('bench', durable);
const peers = await startPeers(base === undefined ? ['koa', 'fastify', 'fastify-traced'] : [], [decisionPath]);
const servers: ServerProcess[] = [];
try {
  const targets = new Map(peers.targetsOf(0));
  for (const count of processes) {
    const server = await startServer(settingsOf(count));
    servers.push(server);
    for (const [name, target] of await ownTargets(server, bed.watched)) targets.set(nameOf(name, count), target);
    if (base === undefined) continue;
    const before = await startServer(settingsOf(count), [], base);
    servers.push(before);
    for (const [name, target] of await ownTargets(before, bed.watched)) {
      targets.set(`${nameOf(name, count)}${ofBase}`, target);
    }
  }
  const rows = await measureAll(targets);
  process.stdout.write(`${reportText(rows)}\n`);
  await stopServers();
  const profiles = process.env.PROFILE === '1' ? await profileAll(settingsOf(1), bed.watched, seconds) : [];
  for (const profile of profiles) process.stdout.write(`\n${profileText(profile)}\n`);
  save(rows, profiles);
} finally {
  peers.stop();
  await stopServers();
  await bed.stop();
}

/** The threads of all processes are no more than those of one. */
function settingsOf(count: number): Record<string, string> {
  const threads = Math.max(1, Math.floor(availableParallelism() / count));
  return { LOG_LEVEL: 'warn', HTTP_PROCESSES: String(count), POOL_MAX_THREADS: String(threads) };
}

function nameOf(target: string, count: number): string {
  return count === 1 ? target : `${target}, ${count} processes`;
}

async function stopServers(): Promise<void> {
  for (const server of servers.splice(0)) await server.stop();
}

async function measureAll(all: Targets): Promise<Row[]> {
  const rows: Row[] = [];
  const total = all.size * Object.keys(facts).length * connections.length * rounds;
  const bar = openProgress(process.stderr, 'Measuring', total);
  for (const [fact, value] of Object.entries(facts)) {
    for (const count of connections) {
      for (const [, target] of all) await load(target(value), count, rows.length === 0 ? firstWarmSeconds : 1);
      const measured = new Map<string, Measured[]>();
      for (let round = 0; round < rounds; round++) {
        for (const [peer, target] of all) {
          measured.set(peer, [...(measured.get(peer) ?? []), await load(target(value), count, seconds / rounds)]);
          bar.advance();
        }
      }
      for (const [peer, each] of measured) rows.push({ peer, fact, connections: count, rounds: each });
    }
  }
  bar.end();
  return rows;
}

function save(rows: readonly Row[], profiles: readonly Profile[]): void {
  const found = {
    node: process.version,
    decision: basename(decisionPath),
    seconds,
    processes,
    durable,
    rows,
    profiles,
  };
  const path = resultFile('http')('json', `${JSON.stringify(found, null, 2)}\n`);
  process.stdout.write(`Saved as ${path}\n`);
}
