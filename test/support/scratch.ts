import { randomBytes } from 'node:crypto';
import { migrate } from '../../db/migrate.js';
import { messageOf, ServicesError } from '../../db/services/errors.js';
import { connectMysql, databaseOf, withDatabase } from '../../db/services/urls.js';
import { copyOf, type Copy } from './databaseCopy.js';

/** A database for tests alone. */
export interface ScratchDatabase {
  readonly url: string;
  /** Says so on standard error when it cannot, since the outcome of the tests matters more. */
  drop(): Promise<void>;
}

/**
 * Makes an empty database on the same server, named after the given one, e.g. `verdict_test_3f9a1c`. Tests write and
 * delete as they like, so they never run in a database that someone named. Throws `ServicesError` when the user of the
 * URL may not make one.
 */
export async function scratchDatabase(databaseUrl: string): Promise<ScratchDatabase> {
  const name = `${databaseOf(databaseUrl)}_test_${randomBytes(4).toString('hex')}`;
  try {
    await execute(databaseUrl, `CREATE DATABASE \`${name}\` CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`);
  } catch (error) {
    throw new ServicesError(
      `The tests make a database of their own beside the one of DATABASE_URL, and could not: ${messageOf(error)}\n` +
        'Grant its user CREATE and DROP, or unset DATABASE_URL to have a private server started.',
      { cause: error },
    );
  }
  return {
    url: withDatabase(databaseUrl, name),
    drop: () =>
      execute(databaseUrl, `DROP DATABASE IF EXISTS \`${name}\``).catch((error: unknown) => {
        process.stderr.write(`The database ${name} is left behind: ${messageOf(error)}\n`);
      }),
  };
}

/** Of the first database that this process has migrated; undefined before, and while that is under way. */
let migrated: Copy | undefined;

/** The same with the schema in it: the first one of a process is migrated, and those after it are copies of that. */
export async function migratedScratch(databaseUrl: string): Promise<ScratchDatabase> {
  const scratch = await scratchDatabase(databaseUrl);
  try {
    if (migrated === undefined) {
      await migrate(scratch.url);
      migrated = await copyOf(scratch.url);
    } else {
      await migrated.into(scratch.url);
    }
    return scratch;
  } catch (error) {
    await scratch.drop();
    throw error;
  }
}

async function execute(databaseUrl: string, statement: string): Promise<void> {
  const connection = await connectMysql(databaseUrl);
  try {
    await connection.query(statement);
  } finally {
    connection.destroy();
  }
}
