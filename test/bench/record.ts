import { setTimeout as sleep } from 'node:timers/promises';
import { inTurns, measure, setting, type Bed } from './bed.js';
import { deployDecision, targetOf } from './decision.js';
import { load, type Target } from './load.js';
import { ratioOf } from './numbers.js';
import { cpuUs, untilIdle, type Watched } from './processes.js';
import { atLeast, atMost, type Report, type Rows } from './report.js';
import { openStream } from './stream.js';
import { base, openVersion, type Version } from './version.js';

// `make bench-record`: what a record takes in MySQL: bytes, and processor time, in batches and singly. RECORDS=1000000 of each
// side, SECONDS=3 a measurement, ROUNDS=3. BASE=a folder with another version, built, on a database of its own.

const records = setting('RECORDS', 1_000_000);
const seconds = setting('SECONDS', 3);
const streams = 4;
const connections = 32;
const warmMs = 2000;

interface Measured {
  readonly inBatches: Cost;
  readonly singly: Cost;
}

interface Cost {
  readonly perSecond: number;
  /** Of MySQL, in microseconds a record. */
  readonly mysqlUs: number;
}

async function run(bed: Bed): Promise<Report> {
  const mysql = bed.watched.find(({ name }) => name === 'MySQL');
  if (mysql === undefined) throw new Error('MySQL must have been started here, or its time cannot be told');
  const sides: Record<string, Version> = { 'this version': await openVersion(bed) };
  if (base !== undefined) sides.before = await openVersion(bed, base);
  const found = await inTurns(
    setting('ROUNDS', 3),
    Object.fromEntries(Object.entries(sides).map(([name, side]) => [name, () => measureOnce(side, mysql)])),
  );
  const bytes: Record<string, Bytes> = {};
  for (const [name, side] of Object.entries(sides)) bytes[name] = await fill(side);
  return reportOf(found, bytes);
}

/** Of several servers the one that is measured runs alone. */
async function serving<T>(version: Version, work: (target: Target) => Promise<T>): Promise<T> {
  const server = await version.server();
  const deployed = await deployDecision(await version.scene(server));
  try {
    return await work(targetOf(server, deployed));
  } finally {
    await server.stop();
  }
}

const measureOnce = (side: Version, mysql: Watched): Promise<Measured> =>
  serving(side, async (target) => {
    await load(target, { connections, seconds: warmMs / 1000 });
    await untilIdle(mysql);
    const costOf = async (answers: () => Promise<number>): Promise<Cost> => {
      const [began, used] = [performance.now(), cpuUs(mysql.pid)];
      const answered = await answers();
      const took = (performance.now() - began) / 1000;
      return { perSecond: answered / took, mysqlUs: (cpuUs(mysql.pid) - used) / Math.max(1, answered) };
    };
    const singly = await costOf(async () => {
      const { perSecond } = await load(target, { connections, seconds });
      return perSecond * seconds;
    });
    await untilIdle(mysql);
    const open = Array.from({ length: streams }, () => openStream(target));
    await sleep(warmMs);
    const before = open.reduce((sum, { answered }) => sum + answered, 0);
    const inBatches = await costOf(async () => {
      await sleep(seconds * 1000);
      return open.reduce((sum, { answered }) => sum + answered, 0) - before;
    });
    await Promise.all(open.map((stream) => stream.end()));
    return { singly, inBatches };
  });

interface Bytes {
  readonly rows: number;
  /** A row, of the table itself, of its other indexes, and of what its rows name by number. */
  readonly data: number;
  readonly indexes: number;
  readonly named: number;
}

const total = ({ data, indexes, named }: Bytes): number => data + indexes + named;

async function fill(side: Version): Promise<Bytes> {
  const { database } = side.store;
  await serving(side, async (target) => {
    const missing = Math.max(0, records - (await countRows(side)));
    const open = Array.from({ length: streams }, () => openStream(target, Math.ceil(missing / streams)));
    await Promise.all(open.map((stream) => whole(stream, Math.ceil(missing / streams))));
  });
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

function reportOf(found: Record<string, Measured[]>, bytes: Record<string, Bytes>): Report {
  const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[all.length >> 1] ?? NaN;
  const of = (rounds: readonly Measured[], how: keyof Measured, what: keyof Cost): number[] =>
    rounds.map((round) => round[how][what]);
  const costs: Rows = {
    headings: ['', 'in batches, a second', 'MySQL us', 'singly, a second', 'MySQL us'],
    rows: Object.entries(found).map(([name, rounds]) => [
      name,
      median(of(rounds, 'inBatches', 'perSecond')).toFixed(0),
      median(of(rounds, 'inBatches', 'mysqlUs')).toFixed(1),
      median(of(rounds, 'singly', 'perSecond')).toFixed(0),
      median(of(rounds, 'singly', 'mysqlUs')).toFixed(1),
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
  const [own, before] = Object.values(found);
  const [ownBytes, bytesBefore] = Object.values(bytes);
  if (own === undefined || before === undefined || ownBytes === undefined || bytesBefore === undefined)
    return { parts: [costs, sizes], found: { found, bytes } };
  const ratio = (how: keyof Measured, what: keyof Cost): number => ratioOf(of(own, how, what), of(before, how, what));
  return {
    parts: [costs, sizes],
    wanted: [
      atMost('Bytes a record, times those of before', total(ownBytes) / total(bytesBefore), 0.6),
      atMost("MySQL's time of a record in batches, times that of before", ratio('inBatches', 'mysqlUs'), 0.75),
      atLeast('Records a second in batches, times those of before', ratio('inBatches', 'perSecond'), 1.3),
      atLeast('Single executions a second, times those of before', ratio('singly', 'perSecond'), 0.98),
    ],
    found: { seconds, found, bytes },
  };
}

await measure('bench-record', run);
