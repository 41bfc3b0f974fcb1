import { createHash } from 'node:crypto';
import { openDatabase } from '../src/storage/database.js';
import { requireSchema, UnreleasedSchema } from '../src/storage/refuseUnreleased.js';
import { migrationConfig } from './knexfile.js';
import { isOfThisVersion } from './migrations/0001_schema.js';
import { ServicesError } from './services/errors.js';
import { connectMysql, databaseOf } from './services/urls.js';

const lockTimeoutS = 60;

/**
 * Brings the schema up to date and returns the names of the migrations that it applied, in order. Several processes may
 * call it at once: one works, the others wait up to a minute. Throws `UnreleasedSchema`, and the database's error when a
 * migration fails.
 */
export async function migrate(databaseUrl: string): Promise<readonly string[]> {
  return holdingMigrationLock(databaseUrl, async () => {
    const database = openDatabase(databaseUrl, { poolSize: 2, acquireTimeoutMs: 10_000 });
    try {
      await requireSchema(database);
      if (!(await isOfThisVersion(database))) throw new UnreleasedSchema();
      // Whoever held Knex's own lock died with it in hand, since the lock around this is ours alone.
      await database.migrate.forceFreeMigrationsLock(migrationConfig);
      // A version that takes the place of a newer one finds migrations that it does not know, and works on their schema.
      const config = { ...migrationConfig, disableMigrationsListValidation: true };
      const [, applied] = (await database.migrate.latest(config)) as [number, string[]];
      return applied;
    } finally {
      await database.destroy();
    }
  });
}

/**
 * Runs `work` while no other process migrates or seeds that database. The server's lock ends with its connection: unlike
 * a row, it cannot outlive a killed process. Throws `ServicesError` where another holds it for a minute.
 */
export async function holdingMigrationLock<T>(databaseUrl: string, work: () => Promise<T>): Promise<T> {
  const name = lockName(databaseUrl);
  const connection = await connectMysql(databaseUrl);
  try {
    const [answer] = await connection.query('SELECT GET_LOCK(?, ?) AS got', [name, lockTimeoutS]);
    if ((answer as { got: unknown }[])[0]?.got !== 1) {
      throw new ServicesError(
        `Another process has been preparing this database for ${lockTimeoutS} seconds. Try again.`,
      );
    }
    return await work();
  } finally {
    connection.destroy();
  }
}

/** Locks are the whole server's and their names at most 64 characters long, so the database's name goes in hashed. */
function lockName(databaseUrl: string): string {
  return `verdict_migrate_${createHash('sha256').update(databaseOf(databaseUrl)).digest('hex').slice(0, 32)}`;
}
