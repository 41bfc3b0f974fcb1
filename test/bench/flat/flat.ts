import { openProgress } from '../../../src/cli/progress.js';
import { table } from '../../../src/cli/table.js';
import { migrate } from '../../../db/migrate.js';
import { startServer, type ServerProcess } from '../../support/process.js';
import { buildScene, type Scene } from '../../support/scene.js';
import { openStore, type Store } from '../../support/factories.js';
import { scratchDatabase } from '../../support/scratch.js';
import { openBed } from '../bed.js';
import { decisionFact, decisionResult, deployDecision, type Executable } from '../decision.js';
import { median } from '../quantile.js';
import { resultFile } from '../results.js';
import { load, together, type Measured } from '../http/load.js';
import { serverProcesses } from '../processes.js';
import { measureFilters, type FilterTimes } from './filters.js';
import { measurePages, type PageTimes } from './pages.js';
import { seedDeployments, seedExecutions } from './seed.js';

// `make bench-flat`: what an execution, and a page of a list, cost where much has been recorded, beside an empty database.
// RECORDS=2000000 DEPLOYMENTS=10000 SECONDS=1 a measurement, ROUNDS=21 of them in turns.

const number = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);
const records = number('RECORDS', 2_000_000);
const deployments = number('DEPLOYMENTS', 10_000);
const seconds = number('SECONDS', 1);
const rounds = number('ROUNDS', 21);
const connections = 32;
/** Compiled code of a server that has just started is slow for seconds. */
const warmSeconds = 10;
const wanted = { throughput: 0.9, page: 2, filterMs: 50 };

/** A server on a database of its own. */
interface Side {
  readonly store: Store;
  readonly server: ServerProcess;
  readonly scene: Scene;
  readonly demo: Executable;
  readonly rounds: Measured[];
}

const bed = await openBed('flat');
const sides: Side[] = [];
try {
  const other = await scratchDatabase(bed.services.databaseUrl);
  await migrate(other.url);
  const empty = await openSide(bed.services.databaseUrl);
  const full = await openSide(other.url);
  await fill(full);
  await measureInTurns(empty, full);
  const pages = await measurePages(full.server, full.scene, full.store.database);
  show(empty, full, pages, await measureFilters(full.server, full.scene, full.store.database));
} finally {
  for (const { server, store } of sides) {
    await server.stop();
    await store.close();
  }
  await bed.stop();
}

async function openSide(databaseUrl: string): Promise<Side> {
  const settings = { DATABASE_URL: databaseUrl, LOG_LEVEL: 'error' };
  const store = openStore(settings);
  const server = await startServer(settings);
  const scene = await buildScene(server, { store });
  const side = { store, server, scene, demo: await deployDecision(scene), rounds: [] };
  sides.push(side);
  return side;
}

async function fill({ store, scene, demo }: Side): Promise<void> {
  const { database } = store;
  const subject = { ...demo, workspaceId: scene.workspaceId };
  const bar = openProgress(process.stderr, 'Filling', deployments + records);
  const advance = (rows: number): void => bar.advance(rows);
  await seedDeployments(database, subject, deployments, advance);
  const texts = { fact: JSON.stringify(decisionFact), result: JSON.stringify(decisionResult) };
  await seedExecutions(database, subject, () => texts, records, advance);
  bar.end();
  await database.raw('ANALYZE TABLE executions, deployments, environments');
}

async function measureInTurns(empty: Side, full: Side): Promise<void> {
  const measure = ({ server, demo }: Side, each: number): Promise<Measured> => {
    const url = `${server.baseUrl}${demo.path}`;
    const watched = [...serverProcesses(server.pid), ...bed.watched];
    return load({ ...demo, url, watched }, connections, each);
  };
  const bar = openProgress(process.stderr, 'Measuring', 2 * rounds);
  for (const side of [empty, full]) await measure(side, warmSeconds);
  for (let round = 0; round < rounds; round++) {
    // Whoever is first finds the machine as the other left it, so that changes too.
    for (const side of round % 2 === 0 ? [empty, full] : [full, empty]) {
      const measured = await measure(side, seconds);
      if (measured.errors > 0) throw new Error(`${measured.errors} executions failed`);
      side.rounds.push(measured);
      bar.advance();
    }
  }
  bar.end();
}

function show(empty: Side, full: Side, pages: readonly PageTimes[], filters: readonly FilterTimes[]): void {
  const ratio = median(full.rounds.map(({ perSecond }, round) => perSecond / (empty.rounds[round]?.perSecond ?? NaN)));
  const quick = filters.every(({ first, tenth }) => Math.max(first, tenth) < wanted.filterMs);
  const good = ratio >= wanted.throughput && pages.every((times) => worst(times) <= wanted.page) && quick;
  const rows = pages.map((times) => [
    times.list,
    times.rows,
    ...[times.first, times.middle, times.last, worst(times)].map((value) => value.toFixed(2)),
  ]);
  process.stdout.write(
    [
      `Executions, ${connections} connections, ${rounds} rounds of ${seconds} s in turns; processor time of one in microseconds:`,
      table(
        ['database', 'per s', 'slowest', 'fastest', 'server', 'MySQL'],
        [
          ['empty', ...cells(empty)],
          [`${records} executions, ${deployments} deployments`, ...cells(full)],
        ],
      ),
      `Ratio of executions per second, the median of the rounds': ${ratio.toFixed(3)}; at least ${wanted.throughput} is wanted.`,
      '',
      'Pages of 50, median milliseconds:',
      table(['list', 'rows', 'first', 'middle', 'last', 'worst × first'], rows),
      `At most ${wanted.page} times the first is wanted.`,
      '',
      'Pages of 50 of the history, milliseconds of the 99th percentile:',
      table(
        ['filter', 'first', 'tenth'],
        filters.map(({ filter, first, tenth }) => [filter, first.toFixed(1), tenth.toFixed(1)]),
      ),
      `Less than ${wanted.filterMs} is wanted.`,
      good ? 'All are met.' : 'NOT met.',
      '',
    ].join('\n'),
  );
  const found = {
    node: process.version,
    records,
    deployments,
    seconds,
    ratio,
    empty: empty.rounds,
    full: full.rounds,
    pages,
    filters,
  };
  process.stdout.write(`Saved as ${resultFile('flat')('json', `${JSON.stringify(found, null, 2)}\n`)}\n`);
  if (!good) process.exitCode = 1;
}

function cells({ rounds: each }: Side): string[] {
  const rates = each.map(({ perSecond }) => perSecond);
  const { server = 0, MySQL = 0 } = together(each).cpuUs;
  return [median(rates), Math.min(...rates), Math.max(...rates), server, MySQL].map((value) => value.toFixed(0));
}

function worst({ first, middle, last }: PageTimes): number {
  return Math.max(middle, last) / first;
}
