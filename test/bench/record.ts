import { setTimeout as sleep } from 'node:timers/promises';
import { inTurns, measure, setting, type Bed } from './bed.js';
import { deployDecision, targetOf } from './decision.js';
import { load, type Target } from './load.js';
import { median, ratioOf } from './numbers.js';
import { cpuUs, untilIdle, type Watched } from './processes.js';
import { atLeast, atMost, type Report, type Rows } from './report.js';
import { openStream } from './stream.js';
import { base, openVersion, type Version } from './version.js';

// `make bench-record`: what a record takes in MySQL: bytes, and processor time, in batches and singly. RECORDS=1000000 of each
// side, SECONDS=3 a measurement, ROUNDS=5. BASE=a folder with another version, built, on a database of its own.

const records = setting('RECORDS', 1_000_000);
const seconds = setting('SECONDS', 3);
const rounds = setting('ROUNDS', 5);
const streams = 4;
const connections = 32;
/** A server that has just started compiles what it runs for some seconds. */
const warmSeconds = 8;

interface Cost {
  readonly perSecond: number;
  /** Of MySQL, in microseconds a record. */
  readonly mysqlUs: number;
}

/** A version whose server runs, and what is asked of it. */
interface Side extends Version {
  readonly target: Target;
}

async function run(bed: Bed): Promise<Report> {
  const mysql = bed.watched.find(({ name }) => name === 'MySQL');
  if (mysql === undefined) throw new Error('MySQL must have been started here, or its time cannot be told');
  const sides: Record<string, Side> = { 'this version': await openSide(bed) };
  if (base !== undefined) sides.before = await openSide(bed, base);
  const measured = (answer: (target: Target) => Promise<Cost>): Promise<Record<string, Cost[]>> =>
    inTurns(
      rounds,
      Object.fromEntries(
        Object.entries(sides).map(([name, { target }]) => [
          name,
          async () => {
            await untilIdle(mysql);
            return answer(target);
          },
        ]),
      ),
    );
  const singly = await measured((target) =>
    costOf(mysql, async () => {
      const { perSecond } = await load(target, { connections, seconds });
      return perSecond * seconds;
    }),
  );
  const inBatches = await measured((target) => streamed(mysql, target));
  const bytes: Record<string, Bytes> = {};
  for (const [name, side] of Object.entries(sides)) bytes[name] = await fill(side);
  return reportOf({ singly, inBatches }, bytes);
}

async function openSide(bed: Bed, folder?: string): Promise<Side> {
  const version = await openVersion(bed, folder);
  const server = await version.server();
  const target = targetOf(server, await deployDecision(await version.scene(server)));
  await load(target, { connections, seconds: warmSeconds });
  return { ...version, target };
}

async function costOf({ pid }: Watched, answers: () => Promise<number>): Promise<Cost> {
  const [began, used] = [performance.now(), cpuUs(pid)];
  const answered = await answers();
  const took = (performance.now() - began) / 1000;
  return { perSecond: answered / took, mysqlUs: (cpuUs(pid) - used) / Math.max(1, answered) };
}

/** What streams cost that have run for a second. */
async function streamed(mysql: Watched, target: Target): Promise<Cost> {
  const open = Array.from({ length: streams }, () => openStream(target));
  await sleep(1000);
  const before = open.reduce((sum, { answered }) => sum + answered, 0);
  const cost = await costOf(mysql, async () => {
    await sleep(seconds * 1000);
    return open.reduce((sum, { answered }) => sum + answered, 0) - before;
  });
  await Promise.all(open.map((stream) => stream.end()));
  return cost;
}

interface Bytes {
  readonly rows: number;
  /** A row, of the table itself, of its other indexes, and of what its rows name by number. */
  readonly data: number;
  readonly indexes: number;
  readonly named: number;
}

const total = ({ data, indexes, named }: Bytes): number => data + indexes + named;

async function fill(side: Side): Promise<Bytes> {
  const { database } = side.store;
  const missing = Math.max(0, records - (await countRows(side)));
  const open = Array.from({ length: streams }, () => openStream(side.target, Math.ceil(missing / streams)));
  await Promise.all(open.map((stream) => whole(stream, Math.ceil(missing / streams))));
  await database.raw('ANALYZE TABLE executions');
  const rows = await countRows(side);
  const [tables] = (await database.raw(
    `SELECT TABLE_NAME AS name, DATA_LENGTH AS data, INDEX_LENGTH AS indexes FROM information_schema.TABLES
      WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME IN ('executions', 'execution_routes', 'execution_settings')`,
  )) as [{ name: string; data: number | string; indexes: number | string }[]];
  const own = tables.find(({ name }) => name === 'executions');
  const others = tables.filter(({ name }) => name !== 'executions');
  return {
    rows,
    data: Number(own?.data) / rows,
    indexes: Number(own?.indexes) / rows,
    named: others.reduce((sum, each) => sum + Number(each.data) + Number(each.indexes), 0) / rows,
  };
}

async function whole(stream: ReturnType<typeof openStream>, items: number): Promise<void> {
  while (stream.answered < items) await sleep(50);
  await stream.end();
}

async function countRows({ store }: Version): Promise<number> {
  const [row] = await store.database('executions').count<{ total: number | string }[]>({ total: '*' });
  return Number(row?.total);
}

function reportOf(
  found: Record<'singly' | 'inBatches', Readonly<Record<string, Cost[]>>>,
  bytes: Record<string, Bytes>,
): Report {
  const { singly, inBatches } = found;
  const middle = (costs: readonly Cost[] | undefined, what: keyof Cost): number =>
    median((costs ?? []).map((cost) => cost[what]));
  const costs: Rows = {
    headings: ['', 'in batches, a second', 'MySQL us', 'singly, a second', 'MySQL us'],
    rows: Object.keys(bytes).map((name) => [
      name,
      middle(inBatches[name], 'perSecond').toFixed(0),
      middle(inBatches[name], 'mysqlUs').toFixed(1),
      middle(singly[name], 'perSecond').toFixed(0),
      middle(singly[name], 'mysqlUs').toFixed(1),
    ]),
  };
  const sizes: Rows = {
    headings: ['bytes a record', 'records', 'row', 'indexes', 'named by number', 'in all'],
    rows: Object.entries(bytes).map(([name, each]) => [
      name,
      each.rows,
      ...[each.data, each.indexes, each.named, total(each)].map((one) => one.toFixed(0)),
    ]),
  };
  const [ownBytes, bytesBefore] = Object.values(bytes);
  if (ownBytes === undefined || bytesBefore === undefined) return { parts: [costs, sizes], found: { found, bytes } };
  const ratio = (how: Readonly<Record<string, Cost[]>>, what: keyof Cost): number => {
    const [own = [], before = []] = Object.values(how).map((each) => each.map((cost) => cost[what]));
    return ratioOf(own, before);
  };
  return {
    parts: [costs, sizes],
    wanted: [
      atMost('Bytes a record, times those of before', total(ownBytes) / total(bytesBefore), 0.6),
      atMost("MySQL's time of a record in batches, times that of before", ratio(inBatches, 'mysqlUs'), 0.75),
      atLeast('Records a second in batches, times those of before', ratio(inBatches, 'perSecond'), 1.3),
      atLeast('Single executions a second, times those of before', ratio(singly, 'perSecond'), 0.98),
    ],
    found: { seconds, found, bytes },
  };
}

await measure('bench-record', run);
