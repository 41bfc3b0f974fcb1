import type { Knex } from 'knex';
import type { Connection } from '../../storage/database.js';
import { lowestIdAt } from '../../storage/ids.js';

export const dayMs = 24 * 60 * 60 * 1000;

/** A partition of `executions`: those whose ids are from before a midnight (UTC), and not in the partition before. */
export interface Day {
  readonly name: string;
  readonly until: Date;
}

/** The partition of what is later than all days, which is empty: days are made ahead. */
const rest = 'PARTITION rest VALUES LESS THAN (MAXVALUE)';

export const startOfDay = (time: number): number => time - (time % dayMs);

const nameOf = (until: Date): string => `until_${until.toISOString().slice(0, 10).replaceAll('-', '')}`;

/** SQL of a partition. */
export const definitionOf = (until: Date): string =>
  `PARTITION ${nameOf(until)} VALUES LESS THAN (X'${lowestIdAt(until).toString('hex')}')`;

/** The days that there are, the oldest first. */
export async function readDays(connection: Connection): Promise<Day[]> {
  const [rows] = (await connection.raw(
    `SELECT PARTITION_NAME AS name FROM information_schema.PARTITIONS
      WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'executions' AND PARTITION_NAME LIKE 'until%'`,
  )) as [{ name: string }[]];
  return rows
    .map(({ name }) => ({ name, until: new Date(name.replace(/^until_(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')) }))
    .sort((one, other) => one.until.getTime() - other.until.getTime());
}

/** How long before they begin partitions are made. */
const aheadMs = 7 * dayMs;

/** Days that a new partition has. Each statement opens all partitions, so a service that keeps records for years has longer ones, and fewer. */
function widthOf(partitions: number): number {
  if (partitions < 100) return 1;
  return partitions < 150 ? 7 : 30;
}

/** Ends of the partitions that are missing. @param last the end of the last one there is */
export function missingDays(last: Date | undefined, count: number, now: number): Date[] {
  const missing: Date[] = [];
  for (let until = Math.max(last?.getTime() ?? 0, startOfDay(now)); until < startOfDay(now) + aheadMs;) {
    until += widthOf(count + missing.length) * dayMs;
    missing.push(new Date(until));
  }
  return missing;
}

/** SQL of the last partitions, the ones for these ends and the rest. */
const ending = (ends: readonly Date[]): string => `(${[...ends.map(definitionOf), rest].join(', ')})`;

/** SQL by which the table is made, with its first days. */
export const byDay = (now: number): string =>
  `PARTITION BY RANGE COLUMNS (id) ${ending(missingDays(undefined, 0, now))}`;

/** Makes days ahead. */
export async function makeDays(database: Knex): Promise<void> {
  const days = await readDays(database);
  const missing = missingDays(days.at(-1)?.until, days.length, Date.now());
  if (missing.length > 0) await alterDays(database, `REORGANIZE PARTITION rest INTO ${ending(missing)}`);
}

/** Seconds that a change of partitions waits for readers and writers of the table. Statements that come meanwhile wait for the change. */
const lockWaitS = 1;

/** Changes partitions, which waits for nobody for long. */
export async function alterDays(database: Knex, change: string): Promise<void> {
  await database.transaction(async (connection) => {
    await connection.raw('SET SESSION lock_wait_timeout = ?', [lockWaitS]);
    try {
      await connection.raw(`ALTER TABLE executions ${change}`);
    } finally {
      await connection.raw('SET SESSION lock_wait_timeout = DEFAULT');
    }
  });
}

/**
 * Does some work on days unless another process is at it: false then. The lock of a row is the right to change days; a process
 * that is killed loses it with its connection.
 */
export function holdingDays(database: Knex, work: (held: Knex.Transaction) => Promise<void>): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const row: unknown = await transaction('execution_days').where('id', 1).forUpdate().skipLocked().first('id');
    if (row === undefined) return false;
    await work(transaction);
    return true;
  });
}
