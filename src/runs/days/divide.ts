import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import { mysqlErrno } from '../../storage/database.js';
import { dayMs, definitionOf, holdDays, holdingDays, missingDays, readDays, rest, startOfDay } from './days.js';

/** What came of it. `slow`: MariaDB would read the table for so long that executions had to wait. */
export type Divided = 'divided' | 'slow' | 'cluster';

// In this order: a RENAME locks names in the order of the alphabet, and waits at the gate before it locks the table behind it.
const gate = 'executions_a_gate';
const opened = 'executions_a_gone';
const divided = 'executions_divided';
const undivided = 'executions_undivided';

/** MariaDB reads all records once to see that they fit. Executions wait for that, so it must be short. */
const longestReadMs = 1000;

/**
 * Divides a table that has records: they become the first partition as they are, and days follow. No record is copied, and
 * those who read or write meanwhile wait for some moments. It may be interrupted and begun again. Without foreign keys only.
 * @param mayWait whether executions may have to wait for longer
 */
export const divide = (database: Knex, mayWait: boolean): Promise<Divided> =>
  holdDays(database, () => divideHeld(database, mayWait));

async function divideHeld(database: Knex, mayWait: boolean): Promise<Divided> {
  if ((await readDays(database)).length > 0) return 'divided';
  const { isMariadb, isCluster } = await kindOf(database);
  // Galera breaks off what holds a table that another statement is to change.
  if (isCluster) return 'cluster';
  if (isMariadb && !mayWait && (await readingMs(database)) > longestReadMs) return 'slow';
  await dropLeftovers(database);
  const until = new Date(startOfDay((await newestTime(database)) + dayMs) + dayMs);
  const partitions = [until, ...missingDays(until, 1, Date.now())].map(definitionOf);
  await database.raw(`CREATE TABLE ${divided} LIKE executions`);
  await database.raw(`ALTER TABLE ${divided} PARTITION BY RANGE COLUMNS (id) (${[...partitions, rest].join(', ')})`);
  await database.raw(`CREATE TABLE ${gate} (id INT NOT NULL PRIMARY KEY) ENGINE=InnoDB`);
  const exchange = exchangeOf(divided, partitions[0] ?? '', isMariadb);
  try {
    await swap(database, exchange);
  } catch (error) {
    if (mysqlErrno(error) !== instantColumns) throw error;
    // MySQL exchanges no table that had columns added without being rebuilt.
    await database.raw('ALTER TABLE executions ENGINE=InnoDB, ALGORITHM=INPLACE, LOCK=NONE');
    await swap(database, exchange);
  }
  await dropLeftovers(database);
  return 'divided';
}

const instantColumns = 1731;

const exchangeOf = (table: string, definition: string, isMariadb: boolean): string =>
  `ALTER TABLE ${table} EXCHANGE PARTITION ${definition.split(' ')[1] ?? ''} WITH TABLE ${undivided}${
    isMariadb ? '' : ' WITHOUT VALIDATION'
  }`;

async function kindOf(database: Knex): Promise<{ readonly isMariadb: boolean; readonly isCluster: boolean }> {
  const [[server]] = (await database.raw('SELECT VERSION() AS version')) as [{ version: string }[]];
  const [cluster] = (await database.raw("SHOW VARIABLES LIKE 'wsrep_on'")) as [{ Value: string }[]];
  return { isMariadb: /mariadb/i.test(server?.version ?? ''), isCluster: cluster[0]?.Value === 'ON' };
}

async function readingMs(database: Knex): Promise<number> {
  const began = performance.now();
  await database.raw('SELECT COUNT(LENGTH(workspace_id)) FROM executions FORCE INDEX (PRIMARY) WHERE engine_us >= 0');
  return performance.now() - began;
}

async function newestTime(database: Knex): Promise<number> {
  const [row] = (await database('executions').select('id').orderBy('id', 'desc').limit(1)) as { id: Buffer }[];
  return Math.max(Date.now(), row?.id.readUIntBE(0, 6) ?? 0);
}

/** Seconds that statements of ours wait for those that are under way. */
const lockWaitS = 10;

/**
 * Has the divided table, with all records in it, take the place of the other one. Whoever asks for the table waits from the
 * first RENAME until the second one is done, since those who wait for a table to rename it come before all others.
 */
async function swap(database: Knex, exchange: string): Promise<void> {
  const sessions = await openSessions(database);
  const { holding, guarding, away, back } = sessions;
  const waits = (session: Session): Promise<void> => waitUntilWaiting(guarding, session);
  try {
    await guarding.run('START TRANSACTION');
    await guarding.run(`SELECT id FROM ${gate}`);
    await holding.run('START TRANSACTION');
    await holding.run('SELECT id FROM executions LIMIT 1');
    const isAway = away.run(`RENAME TABLE executions TO ${undivided}`);
    const isBack = waits(away).then(() => back.run(`RENAME TABLE ${gate} TO ${opened}, ${divided} TO executions`));
    const outcomes = Promise.allSettled([isAway, isBack]);
    try {
      await waits(away);
      await waits(back);
    } catch (error) {
      for (const { id } of [away, back]) await guarding.run(`KILL QUERY ${id}`);
      await outcomes;
      throw error;
    }
    await holding.run('COMMIT');
    await isAway;
    try {
      await holding.run(exchange);
    } catch (error) {
      // The table as it was comes back before anybody else has its turn.
      const isReturned = away.run(`RENAME TABLE ${undivided} TO executions`);
      await waits(away);
      await guarding.run(`KILL QUERY ${back.id}`);
      await isReturned;
      throw error;
    }
    await guarding.run('COMMIT');
    await isBack;
  } finally {
    for (const session of Object.values(sessions)) await session.close();
  }
}

interface Session {
  readonly id: number;
  run(sql: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Connections that it takes at once: a pool must have these and one more. */
async function openSessions(database: Knex): Promise<Record<'holding' | 'guarding' | 'away' | 'back', Session>> {
  const sessions: Session[] = [];
  const open = async (waitS: number): Promise<Session> => {
    const session = await openSession(database, waitS);
    sessions.push(session);
    return session;
  };
  try {
    const [holding, guarding, away] = [await open(lockWaitS), await open(lockWaitS), await open(lockWaitS)];
    // The second RENAME waits for as long as the records take to come to their place.
    return { holding, guarding, away, back: await open(24 * 60 * 60) };
  } catch (error) {
    for (const session of sessions) await session.close();
    throw error;
  }
}

async function openSession(database: Knex, waitS: number): Promise<Session> {
  const client = database.client as {
    acquireConnection(): Promise<object>;
    releaseConnection(connection: object): Promise<void>;
  };
  const connection = await client.acquireConnection();
  const run = async (sql: string): Promise<unknown> => database.raw(sql).connection(connection);
  await run(`SET SESSION lock_wait_timeout = ${waitS}`);
  const [[row]] = (await run('SELECT CONNECTION_ID() AS id')) as [{ id: number }[]];
  return {
    id: Number(row?.id),
    run,
    async close() {
      await run('ROLLBACK').catch(() => undefined);
      await run('SET SESSION lock_wait_timeout = DEFAULT').catch(() => undefined);
      await client.releaseConnection(connection);
    },
  };
}

const waitingForMs = 8000;

/** Resolves when a session's statement waits for a table. */
async function waitUntilWaiting(looking: Session, { id }: Session): Promise<void> {
  const until = performance.now() + waitingForMs;
  while (performance.now() < until) {
    const [rows] = (await looking.run(
      `SELECT STATE AS state FROM information_schema.PROCESSLIST WHERE ID = ${id}`,
    )) as [{ state: string | null }[]];
    if (/metadata lock/i.test(rows[0]?.state ?? '')) return;
    await sleep(2);
  }
  throw new Error('The table of executions could not be held. Try again.');
}

/**
 * For a process that was killed while it divided the table: where the name was free, or before records had their place, the
 * records get it. Not while another process divides it, or mends it.
 * @returns whether the table is divided, and nothing is left to mend
 */
export async function mendDividing(database: Knex): Promise<boolean> {
  if (await database.schema.hasTable(undivided)) await holdingDays(database, () => giveRecordsTheirPlace(database));
  return (await readDays(database)).length > 0 && !(await database.schema.hasTable(undivided));
}

/** The same, once no other process is at it. */
export const resumeDividing = (database: Knex): Promise<void> =>
  holdDays(database, () => giveRecordsTheirPlace(database));

async function giveRecordsTheirPlace(database: Knex): Promise<void> {
  const has = (name: string): Promise<boolean> => database.schema.hasTable(name);
  if (!(await has(undivided))) return;
  const [filled] = (await database(undivided).select('id').limit(1)) as unknown[];
  if (!(await has('executions'))) {
    await database.raw(`RENAME TABLE ${filled === undefined ? divided : undivided} TO executions`);
  } else if (filled !== undefined) {
    const [first] = await readDays(database);
    const { isMariadb } = await kindOf(database);
    await database.raw(exchangeOf('executions', definitionOf(first?.until ?? new Date(0)), isMariadb));
    await database.raw(`INSERT IGNORE INTO executions SELECT * FROM ${undivided}`);
  }
  await dropLeftovers(database);
}

async function dropLeftovers(database: Knex): Promise<void> {
  for (const table of [divided, undivided, gate, opened]) await database.schema.dropTableIfExists(table);
}
