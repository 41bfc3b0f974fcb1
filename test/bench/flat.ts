import { openProgress } from '../../src/cli/progress.js';
import { openStore, type Store } from '../support/factories.js';
import { makePastDays } from '../support/pastDays.js';
import { buildScene, type Scene } from '../support/scene.js';
import { migratedScratch } from '../support/scratch.js';
import { inTurns, measure, setting, type Bed } from './bed.js';
import { decisionFact, decisionResult, deployDecision, targetOf, type Executable } from './decision.js';
import { load, together, type Measured, type Target } from './load.js';
import { ratioOf } from './numbers.js';
import { measureFilters, measureLists, type PageTimes } from './pages.js';
import { serverProcesses } from './processes.js';
import { atLeast, atMost, type Report, type Rows } from './report.js';
import { seedDeployments, seedExecutions } from './seed.js';

// `make bench-flat`: what an execution, and a page of a list, cost where much has been recorded, beside an empty database.
// RECORDS=2000000 DEPLOYMENTS=10000 SECONDS=1 a measurement, ROUNDS=21 of them in turns.

const records = setting('RECORDS', 2_000_000);
const deployments = setting('DEPLOYMENTS', 10_000);
const seconds = setting('SECONDS', 1);
const rounds = setting('ROUNDS', 21);
const connections = 32;
/** Compiled code of a server that has just started is slow for seconds. */
const warmSeconds = 10;
const wantedPage = 2;
const wantedFilterMs = 50;

/** A server on a database of its own. */
interface Side {
  readonly store: Store;
  readonly scene: Scene;
  readonly demo: Executable;
  readonly target: Target;
}

async function run(bed: Bed): Promise<Report> {
  const other = await migratedScratch(bed.services.databaseUrl);
  const empty = await openSide(bed, bed.services.databaseUrl);
  const full = await openSide(bed, other.url);
  await fill(full);
  const found = await measureInTurns(empty.target, full.target);
  const { caller, workspaceId } = full.scene;
  const lists = await measureLists(caller, full.store.database, workspaceId);
  const filters = await measureFilters(caller, full.store.database, workspaceId);
  return reportOf(found, lists, filters);
}

async function openSide(bed: Bed, databaseUrl: string): Promise<Side> {
  const settings = { DATABASE_URL: databaseUrl };
  const store = openStore(settings);
  bed.ends(() => store.close());
  const server = await bed.server(settings);
  const scene = await buildScene(server, { store });
  const demo = await deployDecision(scene);
  return { store, scene, demo, target: targetOf(server, demo, [...serverProcesses(server.pid), ...bed.watched]) };
}

async function fill({ store: { database }, scene, demo }: Side): Promise<void> {
  const subject = { ...demo, workspaceId: scene.workspaceId };
  await makePastDays(database, 30);
  const bar = openProgress(process.stderr, 'Filling', deployments + records);
  const advance = (rows: number): void => bar.advance(rows);
  await seedDeployments(database, subject, deployments, advance);
  const texts = { fact: JSON.stringify(decisionFact), result: JSON.stringify(decisionResult) };
  await seedExecutions(database, subject, () => texts, records, advance);
  bar.end();
  await database.raw('ANALYZE TABLE executions, deployments, environments');
}

type Found = Readonly<Record<'empty' | 'full', readonly Measured[]>>;

async function measureInTurns(empty: Target, full: Target): Promise<Found> {
  for (const target of [empty, full]) await load(target, { connections, seconds: warmSeconds });
  return inTurns(rounds, {
    empty: () => load(empty, { connections, seconds }),
    full: () => load(full, { connections, seconds }),
  });
}

function reportOf(found: Found, lists: readonly PageTimes[], filters: readonly PageTimes[]): Report {
  const speeds = (side: keyof Found): number[] => found[side].map(({ perSecond }) => perSecond);
  const row = (name: string, side: keyof Found): string[] => {
    const { perSecond, cpuUs } = together(found[side]);
    const numbers = [
      perSecond,
      Math.min(...speeds(side)),
      Math.max(...speeds(side)),
      cpuUs.server ?? 0,
      cpuUs.MySQL ?? 0,
    ];
    return [name, ...numbers.map((value) => value.toFixed(0))];
  };
  const worst = lists.map(({ places: { first, ...deeper } }) =>
    Math.max(...Object.values(deeper).map(({ p50 }) => p50 / (first?.p50 ?? NaN))),
  );
  const slowest = Math.max(...filters.flatMap(({ places }) => Object.values(places).map(({ p99 }) => p99)));
  return {
    parts: [
      `Executions, ${connections} connections, ${rounds} rounds of ${seconds} s in turns; processor time in microseconds:`,
      {
        headings: ['database', 'per s', 'slowest', 'fastest', 'server', 'MySQL'],
        rows: [row('empty', 'empty'), row(`${records} executions, ${deployments} deployments`, 'full')],
      },
      'Pages of 50, milliseconds, median and 99th percentile:',
      pageRows(lists),
      pageRows(filters),
    ],
    wanted: [
      atLeast(
        'Executions a second of the full database, times those of the empty one',
        ratioOf(speeds('full'), speeds('empty')),
        0.9,
      ),
      atMost('The slowest page of a list, times its first', Math.max(...worst), wantedPage),
      atMost('The 99th percentile of the slowest filter, ms', slowest, wantedFilterMs),
      {
        text: 'Every execution was answered with 201',
        met: [...found.empty, ...found.full].every(({ errors }) => errors === 0),
      },
    ],
    found: { records, deployments, seconds, ...found, lists, filters },
  };
}

function pageRows(pages: readonly PageTimes[]): Rows {
  const places = Object.keys(pages[0]?.places ?? {});
  return {
    headings: ['', ...places.flatMap((place) => [place, 'p99'])],
    rows: pages.map(({ list, places: times }) => [
      list,
      ...places.flatMap((place) => [times[place]?.p50.toFixed(2) ?? '', times[place]?.p99.toFixed(1) ?? '']),
    ]),
  };
}

await measure('flat', run);
