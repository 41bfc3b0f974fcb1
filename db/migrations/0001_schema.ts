import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import { byDay } from '../../src/runs/days/days.js';
import { changes } from './0001/changes.js';
import { decisions } from './0001/decisions.js';
import { environments } from './0001/environments.js';
import { evidence } from './0001/evidence.js';
import { inquiries } from './0001/inquiries.js';
import { jobs } from './0001/jobs.js';
import { keys } from './0001/keys.js';
import { measures } from './0001/measures.js';
import { replays } from './0001/replays.js';
import { runs } from './0001/runs.js';
import { tenancy } from './0001/tenancy.js';

/**
 * The whole schema, until the first release: a migration that follows it expands, and a later one contracts. Columns and keys of
 * each table, by its name; none comes before a table that it refers to.
 */
const tables: Readonly<Record<string, string>> = {
  ...keys,
  ...jobs,
  ...tenancy,
  ...decisions,
  ...environments,
  ...changes,
  ...runs,
  ...evidence,
  ...replays,
  ...measures,
  ...inquiries,
};

const form = 'ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin';

const markOf = (columns: string): string =>
  createHash('sha256').update(columns.replace(/\s+/g, ' ')).digest('hex').slice(0, 16);

/**
 * Whether the tables that the database has were made of the columns that stand here: before the first release they change, and
 * each table keeps in its comment what it was made of.
 */
export async function isOfThisVersion(knex: Knex): Promise<boolean> {
  const [rows] = (await knex.raw(
    `SELECT table_name AS name, table_comment AS mark FROM information_schema.tables
     WHERE table_schema = DATABASE()`,
  )) as [{ name: string; mark: string }[]];
  return rows.every(({ name, mark }) => tables[name] === undefined || markOf(tables[name]) === mark);
}

/** Each statement is committed by itself. Where it was interrupted, it goes on with what is missing. */
export async function up(knex: Knex): Promise<void> {
  for (const [name, columns] of Object.entries(tables)) {
    const days = name === 'executions' ? byDay(Date.now()) : '';
    await knex.raw(`CREATE TABLE IF NOT EXISTS ${name} (${columns}) ${form} COMMENT='${markOf(columns)}' ${days}`);
  }
  await knex.raw('INSERT IGNORE INTO execution_days (id) VALUES (1)');
}

export async function down(knex: Knex): Promise<void> {
  for (const name of Object.keys(tables).reverse()) await knex.schema.dropTableIfExists(name);
}
