import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { openProgress } from '../../src/cli/progress.js';
import { openStore } from '../support/factories.js';
import type { Caller } from '../support/http.js';
import type { Model } from '../support/models.js';
import { ended, startReplay, type ShownReport } from '../support/replays.js';
import { buildScene, type Scene } from '../support/scene.js';
import { inTurns, measure, setting, type Bed } from './bed.js';
import { deployModel, targetOf, type Executable } from './decision.js';
import { factOfRow, tableModel } from './engine/tables.js';
import { load, together, type Measured, type Target } from './load.js';
import { ratioOf } from './numbers.js';
import { cpuUs, serverProcesses } from './processes.js';
import { atLeast, atMost, type Report } from './report.js';
import { seedExecutions } from './seed.js';

// `make bench-replay`: a replay of many recorded executions of a table of 3,000 rows on an idle machine, then what a replay,
// and a shadow of every execution, cost live ones. RECORDS=100000 SECONDS=3 a measurement, ROUNDS=5 of each in turns,
// CONNECTIONS=4.

const records = setting('RECORDS', 100_000);
const seconds = setting('SECONDS', 3);
const connections = setting('CONNECTIONS', 4);
const rows = 3000;
/** As long as a shadow takes to write what it has seen. */
const shadowMs = 2500;

async function run(bed: Bed): Promise<Report> {
  const store = openStore({ DATABASE_URL: bed.services.databaseUrl });
  bed.ends(() => store.close());
  const server = await bed.server();
  const scene = await buildScene(server, { store });
  const [model, changed] = versions();
  const live = await deployModel(scene, model, factOfRow(1234) as object, 'table.json');
  await scene.decision('table.json', changed);
  await fill(store.database, scene, live);
  const idle = await measureReplay(scene.caller, live, serverProcesses(server.pid)[0]?.pid ?? server.pid);
  return reportOf(idle, await measureLive(scene.caller, live, targetOf(server, live)));
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

async function fill(database: Knex, { workspaceId }: Scene, live: Executable): Promise<void> {
  const bar = openProgress(process.stderr, 'Filling', records);
  const texts = (index: number): { fact: string; result: string } => {
    const row = index % rows;
    return { fact: JSON.stringify(factOfRow(row)), result: JSON.stringify({ fee: row, note: `rule ${row}` }) };
  };
  await seedExecutions(database, { ...live, workspaceId }, texts, records, (done) => bar.advance(done));
  bar.end();
}

const compared = ({ decisionId, environmentId }: Executable): object => ({ decisionId, environmentId });
const begun = async (caller: Caller, live: Executable): Promise<string> =>
  (await startReplay(caller, { ...compared(live), candidate: { version: 2 }, limit: records })).id;

interface Idle {
  readonly report: ShownReport;
  readonly elapsed: number;
  readonly cores: number;
}

async function measureReplay(caller: Caller, live: Executable, pid: number): Promise<Idle> {
  const before = cpuUs(pid);
  const start = performance.now();
  const id = await begun(caller, live);
  const { report } = await ended(caller, id);
  const elapsed = (performance.now() - start) / 1000;
  const cores = (cpuUs(pid) - before) / 1e6 / elapsed;
  await caller.delete(`/logic/replays/${id}`);
  return { report, elapsed, cores };
}

type Found = Readonly<Record<'nothing' | 'a replay' | 'a shadow', readonly Measured[]>>;

async function measureLive(caller: Caller, live: Executable, target: Target): Promise<Found> {
  const alone = (): Promise<Measured> => load(target, { connections, seconds });
  await alone();
  return inTurns(setting('ROUNDS', 5), {
    nothing: alone,
    'a replay': () => besideReplay(caller, live, alone),
    'a shadow': () => besideShadow(caller, live, alone),
  });
}

async function besideReplay(caller: Caller, live: Executable, send: () => Promise<Measured>): Promise<Measured> {
  const path = `/logic/replays/${await begun(caller, live)}`;
  const measured = await send();
  // The first one ends it, the second takes it away.
  for (let deleted = 0; deleted < 2; deleted++) await caller.delete(path);
  return measured;
}

async function besideShadow(caller: Caller, live: Executable, send: () => Promise<Measured>): Promise<Measured> {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const { body } = await caller.post('/logic/shadows', { ...compared(live), version: 2, sample: 1, expiresAt });
  const path = `/logic/shadows/${(body as { id: string }).id}`;
  const measured = await send();
  await sleep(shadowMs);
  const { report } = (await caller.get(path)).body as { report: ShownReport };
  process.stderr.write(`a shadow skipped ${JSON.stringify(report.skipped)}\n`);
  for (let deleted = 0; deleted < 2; deleted++) await caller.delete(path);
  return measured;
}

function reportOf({ report, elapsed, cores }: Idle, found: Found): Report {
  const { changed, engine } = report;
  const perSecond = report.replayed / elapsed;
  const p99s = (kind: keyof Found): number[] => found[kind].map(({ p99Ms }) => p99Ms);
  const beside = (kind: keyof Found): number => ratioOf(p99s(kind), p99s('nothing'));
  const table = (Object.keys(found) as (keyof Found)[]).map((kind) => {
    const numbers = together(found[kind]);
    return [
      kind,
      numbers.perSecond.toFixed(0),
      numbers.p50Ms.toFixed(2),
      numbers.p99Ms.toFixed(2),
      beside(kind).toFixed(3),
    ];
  });
  return {
    parts: [
      `A replay of ${report.replayed} executions of a table of ${rows} rows: ${elapsed.toFixed(1)} s with ${cores.toFixed(2)} ` +
        `cores of the server; ${changed} changed; engine ${engine.before.p50} and ${engine.after.p50} ms (p50), ` +
        `${engine.before.p99} and ${engine.after.p99} ms (p99).`,
      { headings: ['beside', 'per s', 'p50 ms', 'p99 ms', 'p99, times alone'], rows: table },
    ],
    wanted: [
      atLeast('Facts a second of a replay', perSecond, 5000),
      atMost('p99 of executions beside a replay, times alone', beside('a replay'), 1.2),
      atMost('p99 of executions beside a shadow, times alone', beside('a shadow'), 1.05),
      {
        text: 'Every execution was answered with 201',
        met: Object.values(found)
          .flat()
          .every(({ errors }) => errors === 0),
      },
    ],
    found: { records, elapsed, cores, perSecond, report, ...found },
  };
}

await measure('replay', run);
