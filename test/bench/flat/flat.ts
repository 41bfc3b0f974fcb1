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
import { load } from '../tune/generator.js';
import { measurePages, type PageTimes } from './pages.js';
import { seedDeployments, seedExecutions } from './seed.js';

// `make bench-flat`: what an execution, and a page of a list, cost where much has been recorded, beside an empty database.
// RECORDS=2000000 DEPLOYMENTS=10000 SECONDS=3 a measurement, ROUNDS=7 of them in turns.

const number = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);
const records = number('RECORDS', 2_000_000);
const deployments = number('DEPLOYMENTS', 10_000);
const seconds = number('SECONDS', 3);
const rounds = number('ROUNDS', 7);
const connections = 32;
const wanted = { throughput: 0.9, page: 2 };

/** A server on a database of its own. */
interface Side {
  readonly store: Store;
  readonly server: ServerProcess;
  readonly scene: Scene;
  readonly demo: Executable;
  readonly perSecond: number[];
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
  show(empty, full, await measurePages(full.server, full.scene, full.store.database));
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
  const side = { store, server, scene, demo: await deployDecision(scene), perSecond: [] };
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
  await seedExecutions(database, subject, texts, records, advance);
  bar.end();
  await database.raw('ANALYZE TABLE executions, deployments, environments');
}

async function measureInTurns(empty: Side, full: Side): Promise<void> {
  const bar = openProgress(process.stderr, 'Measuring', 2 * (rounds + 1));
  for (let round = 0; round <= rounds; round++) {
    // Whoever is first finds the machine as the other left it, so that changes too.
    for (const side of round % 2 === 0 ? [empty, full] : [full, empty]) {
      const target = { baseUrl: side.server.baseUrl, ...side.demo };
      const { perSecond, failed } = await load(target, { connections, seconds, targetMs: Infinity });
      if (failed > 0) throw new Error(`${failed} executions failed`);
      // The first round warms both.
      if (round > 0) side.perSecond.push(perSecond);
      bar.advance();
    }
  }
  bar.end();
}

function show(empty: Side, full: Side, pages: readonly PageTimes[]): void {
  const [few, many] = [median(empty.perSecond), median(full.perSecond)];
  const ratio = many / few;
  const good = ratio >= wanted.throughput && pages.every((times) => worst(times) <= wanted.page);
  const fixed = (values: readonly number[]): string => values.map((value) => value.toFixed(0)).join(' ');
  const rows = pages.map((times) => [
    times.list,
    times.rows,
    ...[times.first, times.middle, times.last, worst(times)].map((value) => value.toFixed(2)),
  ]);
  process.stdout.write(
    [
      `Executions per second, ${connections} connections, ${rounds} rounds of ${seconds} s in turns:`,
      table(
        ['database', 'median', 'rounds'],
        [
          ['empty', few.toFixed(0), fixed(empty.perSecond)],
          [`${records} executions, ${deployments} deployments`, many.toFixed(0), fixed(full.perSecond)],
        ],
      ),
      `Ratio ${ratio.toFixed(3)}; at least ${wanted.throughput} is wanted.`,
      '',
      'Pages of 50, median milliseconds:',
      table(['list', 'rows', 'first', 'middle', 'last', 'worst × first'], rows),
      `At most ${wanted.page} times the first is wanted.`,
      good ? 'Both are met.' : 'NOT met.',
      '',
    ].join('\n'),
  );
  const found = {
    node: process.version,
    records,
    deployments,
    seconds,
    ratio,
    empty: empty.perSecond,
    full: full.perSecond,
    pages,
  };
  process.stdout.write(`Saved as ${resultFile('flat')('json', `${JSON.stringify(found, null, 2)}\n`)}\n`);
  if (!good) process.exitCode = 1;
}

function worst({ first, middle, last }: PageTimes): number {
  return Math.max(middle, last) / first;
}
