import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { SingleBar } from 'cli-progress';
import { migrate } from '../../../db/migrate.js';
import { projectRoot } from '../../../db/root.js';
import { startServices } from '../../../db/services/start.js';
import { startServer, type ServerProcess } from '../../support/process.js';
import { buildScene, closeTestDatabase } from '../../support/scene.js';
import type { Model } from '../../support/models.js';
import { load, type Measured, type Target } from './load.js';

// `make bench`: the full path of an execution against its peers, in one run on one machine.
// SECONDS=5 a measurement, CONNECTIONS=32,256.

const seconds = Number(process.env.SECONDS ?? 5);
const connections = (process.env.CONNECTIONS ?? '32,256').split(',').map(Number);
const modelPath = 'db/seeds/demo/shop/shipping-fee.json';
const model = JSON.parse(readFileSync(join(projectRoot, modelPath), 'utf8')) as Model & { tests: { input: object }[] };
const smallFact = model.tests[0]?.input ?? {};
const facts = { small: smallFact, '50 KB': { ...smallFact, lines: Array.from({ length: 500 }, line) } };

function line(_: unknown, index: number): object {
  return {
    sku: `SKU-${index}`,
    quantity: index % 7,
    price: index * 1.25,
    note: 'a line of an order, as long as one is',
  };
}

interface Row extends Measured {
  readonly peer: string;
  readonly fact: string;
  readonly connections: number;
}

const services = await startServices({
  dir: mkdtempSync(join(tmpdir(), 'verdict-bench-')),
  throwAway: true,
  say: (text) => process.stderr.write(`${text}\n`),
});
process.env.DATABASE_URL = services.databaseUrl;
process.env.REDIS_URL = services.redisUrl ?? '';
process.env.ENCRYPTION_KEY = randomBytes(32).toString('hex');
const children: ChildProcess[] = [];
let server: ServerProcess | undefined;
try {
  await migrate(services.databaseUrl);
  server = await startServer({ LOG_LEVEL: 'warn' });
  const rows = await measureAll(await targets(server));
  print(rows);
  save(rows);
} finally {
  for (const child of children) child.kill('SIGTERM');
  await server?.stop();
  await closeTestDatabase();
  await services.stop();
}

/** By name, given a fact: what is sent to whom. */
async function targets(verdict: ServerProcess): Promise<Map<string, (fact: object) => Target>> {
  const scene = await buildScene(verdict);
  const decisionId = await scene.decision('bench.json', model);
  const environmentId = await scene.environment();
  await scene.deploy(decisionId, environmentId, 1);
  const headers = {
    Authorization: `Bearer ${scene.token}`,
    'X-Workspace-Id': scene.workspaceId,
    'Content-Type': 'application/json',
  };
  const verdictTarget =
    (path: string, more: object) =>
    (fact: object): Target => ({
      url: `${verdict.baseUrl}${path}`,
      headers,
      body: JSON.stringify({ ...more, fact }),
      pid: verdict.pid,
    });
  const found = new Map<string, (fact: object) => Target>();
  for (const peer of ['koa', 'fastify', 'fastify-traced']) {
    const { url, pid } = await startPeer(peer);
    found.set(peer, (fact) => ({
      url,
      pid,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ fact }),
    }));
  }
  found.set('execution', verdictTarget(`/logic/${environmentId}/decisions/${decisionId}/executions`, {}));
  found.set('evaluation (traced)', verdictTarget(`/logic/decisions/${decisionId}/evaluations`, { version: 1 }));
  return found;
}

async function startPeer(peer: string): Promise<{ url: string; pid: number }> {
  const child = fork(join(import.meta.dirname, 'peers.js'), [peer, modelPath], {
    cwd: projectRoot,
    env: { PATH: process.env.PATH, RUST_BACKTRACE: '0' },
    execArgv: [],
  });
  children.push(child);
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve((message as { port: number }).port));
    child.once('exit', (code) => reject(new Error(`the peer ${peer} ended with ${code}`)));
  });
  return { url: `http://127.0.0.1:${port}/run`, pid: child.pid ?? 0 };
}

async function measureAll(all: ReadonlyMap<string, (fact: object) => Target>): Promise<Row[]> {
  const rows: Row[] = [];
  const total = all.size * Object.keys(facts).length * connections.length;
  const bar = new SingleBar({ format: '{bar} {value}/{total} {what}', stream: process.stderr, noTTYOutput: false });
  bar.start(total, 0, { what: '' });
  for (const [fact, value] of Object.entries(facts)) {
    for (const count of connections) {
      for (const [peer, target] of all) {
        bar.update({ what: `${peer}, ${fact}, ${count} connections` });
        await load(target(value), count, 1); // warm
        rows.push({ peer, fact, connections: count, ...(await load(target(value), count, seconds)) });
        bar.increment();
      }
    }
  }
  bar.stop();
  return rows;
}

function print(rows: readonly Row[]): void {
  const table = new Table({
    head: ['fact', 'connections', 'peer', 'per second', 'p50 ms', 'p99 ms', 'errors', 'CPU us', 'ratio'],
  });
  for (const row of rows) {
    const rival = row.peer.startsWith('evaluation') ? 'fastify-traced' : 'fastify';
    const base = rows.find(
      ({ peer, fact, connections: count }) => peer === rival && fact === row.fact && count === row.connections,
    );
    const ratio =
      base === undefined || base.perSecond === 0 ? '' : `${(row.perSecond / base.perSecond).toFixed(2)} × ${rival}`;
    const { fact, connections: count, peer, perSecond, p50Ms, p99Ms, errors, cpuUs } = row;
    table.push([fact, count, peer, Math.round(perSecond), p50Ms, p99Ms, errors, cpuUs.toFixed(0), ratio]);
  }
  process.stdout.write(`${table.toString()}\n`);
}

function save(rows: readonly Row[]): void {
  const folder = join(projectRoot, 'bench-results');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `http-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.json`);
  writeFileSync(path, `${JSON.stringify({ node: process.version, seconds, rows }, null, 2)}\n`);
  process.stdout.write(`Saved as ${path.slice(projectRoot.length + 1)}\n`);
}
