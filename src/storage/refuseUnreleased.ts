import type { Connection } from './database.js';
import { mysqlErrno, mysqlErrors } from './mysqlErrors.js';

/** The migration that makes the schema; whatever brought a database up to date without it knew another one. */
const firstMigration = '0001_schema';

/** The database has tables of a version that was never released. */
export class UnreleasedSchema extends Error {
  override readonly name = 'UnreleasedSchema';
  override readonly message =
    'This database was made by a version of Verdict from before the first release, and no later one reads it. Nothing in it ' +
    'was changed. If it is that of `make run`, move the folder .run/ away and run again, with a new one. Otherwise name an ' +
    'empty database in DATABASE_URL. What you need of the former one, export with the version that made it first: models ' +
    'by `verdict pull`, evidence by `verdict evidence export`.';
}

/** Rejects with `UnreleasedSchema`, or with MySQL's errors. A database that nobody has prepared yet is none of those. */
export async function requireSchema(connection: Connection): Promise<void> {
  const names = await appliedMigrations(connection);
  if (names.length === 0 || names.includes(firstMigration)) return;
  throw new UnreleasedSchema();
}

async function appliedMigrations(connection: Connection): Promise<string[]> {
  try {
    return (await connection('knex_migrations').pluck('name')) as string[];
  } catch (error) {
    if (mysqlErrno(error) === mysqlErrors.noSuchTable) return [];
    throw error;
  }
}
