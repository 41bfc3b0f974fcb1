import { setTimeout as sleep } from 'node:timers/promises';
import { openProgress } from '../../../src/cli/progress.js';
import { table } from '../../../src/cli/table.js';
import { openStore, type Store } from '../../support/factories.js';
import { callerOf, type Caller } from '../../support/http.js';
import type { Model } from '../../support/models.js';
import { startServer, type ServerProcess } from '../../support/process.js';
import { ended, startReplay, type ShownReport } from '../../support/replays.js';
import { buildScene } from '../../support/scene.js';
import { openBed } from '../bed.js';
import { deployModel, type Executable } from '../decision.js';
import { factOfRow, tableModel } from '../engine/tables.js';
import { seedExecutions } from '../flat/seed.js';
import { cpuUs, serverProcesses } from '../processes.js';
import { median } from '../quantile.js';
import { load, type Measured } from '../tune/generator.js';

// `make bench-replay`: a replay of many recorded executions of a table of 3,000 rows on an idle machine, then what a replay,
// and a shadow of every execution, cost live ones. RECORDS=100000 SECONDS=3 a measurement, ROUNDS=5 of each in turns,
// CONNECTIONS=4.

const number = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);
const records = number('RECORDS', 100_000);
const seconds = number('SECONDS', 3);
const rounds = number('ROUNDS', 5);
const connections = number('CONNECTIONS', 4);
const rows = 3000;
const wanted = { perSecond: 5000, replay: 1.2, shadow: 1.05 };

const bed = await openBed('replay');
let store: Store | undefined;
let server: ServerProcess | undefined;
try {
  const settings = { DATABASE_URL: bed.services.databaseUrl, LOG_LEVEL: 'error' };
  store = openStore(settings);
  server = await startServer(settings);
  process.exitCode = (await measureAll(server, store)) ? 0 : 1;
} finally {
  await server?.stop();
  await store?.close();
  await bed.stop();
}

/** Each rule's fee is its number; in the second version every tenth is one higher. */
function versions(): [Model, Model] {
  const model = tableModel(rows) as Model;
  const changed = JSON.parse(JSON.stringify(model)) as typeof model & {
    nodes: { content?: { rules: { fee: string }[] } }[];
  };
  changed.nodes[1]?.content?.rules.forEach((rule, row) => {
    if (row % 10 === 0) rule.fee = String(row + 1);
  });
  return [model, changed];
}

async function measureAll({ baseUrl, pid }: ServerProcess, { database }: Store): Promise<boolean> {
  const scene = await buildScene({ baseUrl }, store === undefined ? {} : { store });
  const [model, changed] = versions();
  const live = await deployModel(scene, model, factOfRow(1234) as object, 'table.json');
  await scene.decision('table.json', changed);
  const bar = openProgress(process.stderr, 'Filling', records);
  const texts = (index: number): { fact: string; result: string } => {
    const row = index % rows;
    return { fact: JSON.stringify(factOfRow(row)), result: JSON.stringify({ fee: row, note: `rule ${row}` }) };
  };
  await seedExecutions(database, { ...live, workspaceId: scene.workspaceId }, texts, records, (done) =>
    bar.advance(done),
  );
  bar.end();
  const caller = callerOf(baseUrl, scene.token, scene.workspaceId);
  const quick = await measureReplay(caller, live, pid);
  return (await measureLive(caller, live, baseUrl)) && quick;
}

function compared({ decisionId, environmentId }: Executable): object {
  return { decisionId, environmentId };
}

function request(live: Executable): object {
  return { ...compared(live), candidate: { version: 2 }, limit: records };
}

async function measureReplay(caller: Caller, live: Executable, pid: number): Promise<boolean> {
  const [process_] = serverProcesses(pid);
  const before = cpuUs(process_?.pid ?? pid);
  const start = performance.now();
  const { id } = await startReplay(caller, request(live));
  const { report } = await ended(caller, id);
  const elapsed = (performance.now() - start) / 1000;
  const cores = (cpuUs(process_?.pid ?? pid) - before) / 1e6 / elapsed;
  const perSecond = report.replayed / elapsed;
  process.stdout.write(
    `A replay of ${report.replayed} executions of a table of ${rows} rows: ${elapsed.toFixed(1)} s, ` +
      `${Math.round(perSecond)} facts a second with ${cores.toFixed(2)} cores of the server; at least ${wanted.perSecond} ` +
      `are wanted.\n${timesOf(report)}\n`,
  );
  await caller.delete(`/logic/replays/${id}`);
  return perSecond >= wanted.perSecond;
}

function timesOf({ changed, engine: { before, after } }: ShownReport): string {
  return `${changed} changed; engine ${before.p50} and ${after.p50} ms (p50), ${before.p99} and ${after.p99} ms (p99).`;
}

async function measureLive(caller: Caller, live: Executable, baseUrl: string): Promise<boolean> {
  const kinds = ['nothing', 'replay', 'shadow'] as const;
  const measured: Record<(typeof kinds)[number], Measured[]> = { nothing: [], replay: [], shadow: [] };
  const target = { baseUrl, ...live };
  const options = { connections, seconds, targetMs: Infinity };
  await load(target, options);
  const bar = openProgress(process.stderr, 'Measuring', kinds.length * rounds);
  let report: ShownReport | undefined;
  for (let round = 0; round < rounds; round++) {
    for (const kind of round % 2 === 0 ? kinds : kinds.toReversed()) {
      const id = await begin(caller, live, kind);
      const result = await load(target, options);
      if (result.failed + result.refusedPerSecond > 0) throw new Error(`executions failed beside ${kind}`);
      measured[kind].push(result);
      if (id !== undefined) report = await end(caller, kind, id);
      bar.advance();
    }
  }
  bar.end();
  const ratio = (kind: (typeof kinds)[number]): number =>
    median(measured[kind].map(({ p99Ms }, round) => p99Ms / (measured.nothing[round]?.p99Ms ?? NaN)));
  const row = (kind: (typeof kinds)[number]): string[] => [
    kind,
    ...(['perSecond', 'p50Ms', 'p99Ms'] as const).map((name) =>
      median(measured[kind].map((one) => one[name])).toFixed(2),
    ),
    ratio(kind).toFixed(3),
  ];
  process.stdout.write(`${table(['beside', 'per s', 'p50 ms', 'p99 ms', 'p99, times alone'], kinds.map(row))}\n`);
  process.stdout.write(
    `Wanted: at most ${wanted.replay} and ${wanted.shadow}. The last shadow: ${JSON.stringify(report?.skipped)}\n`,
  );
  return ratio('replay') <= wanted.replay && ratio('shadow') <= wanted.shadow;
}

async function begin(caller: Caller, live: Executable, kind: string): Promise<string | undefined> {
  if (kind === 'nothing') return undefined;
  if (kind === 'replay') return (await startReplay(caller, request(live))).id;
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const { body } = await caller.post('/logic/shadows', { ...compared(live), version: 2, sample: 1, expiresAt });
  return (body as { id: string }).id;
}

/** Gives the report of a shadow. */
async function end(caller: Caller, kind: string, id: string): Promise<ShownReport | undefined> {
  const path = `/logic/${kind}s/${id}`;
  if (kind === 'replay') {
    const { status, done } = (await caller.get(path)).body as { status: string; done: number };
    process.stderr.write(`\nbeside live executions: ${status}, ${done} done\n`);
    if (status === 'RUNNING') await caller.delete(path);
    await caller.delete(path);
    return undefined;
  }
  await sleep(2500);
  const { report } = (await caller.get(path)).body as { report: ShownReport };
  await caller.delete(path);
  await caller.delete(path);
  return report;
}
