import type { RowDataPacket } from 'mysql2/promise';
import { connectMysql } from '../../db/services/urls.js';

type Connection = Awaited<ReturnType<typeof connectMysql>>;

/** With so many rows a table is emptied by TRUNCATE, which makes a file of it anew and takes as long for one row. */
const many = 2000;

/** Of all tables those that have rows, with how many, up to `many`. */
async function filledTables(connection: Connection): Promise<ReadonlyMap<string, number>> {
  const [tables] = await connection.query<RowDataPacket[]>('SHOW TABLES');
  const counts = tables
    .flatMap((row) => Object.values(row) as string[])
    .map(
      (name) => `SELECT '${name}' AS name, COUNT(*) AS count FROM (SELECT 1 FROM \`${name}\` LIMIT ${many}) AS some`,
    );
  const [rows] = await connection.query<RowDataPacket[]>(counts.join(' UNION ALL '));
  return new Map(
    rows.map((row) => [String(row['name']), Number(row['count'])] as const).filter(([, count]) => count > 0),
  );
}

async function connected<T>(databaseUrl: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connectMysql(databaseUrl);
  try {
    return await work(connection);
  } finally {
    connection.destroy();
  }
}

/** Gives what takes out all that was written into a database since it was migrated. */
export async function createEmptying(databaseUrl: string): Promise<() => Promise<void>> {
  const kept = await connected(databaseUrl, filledTables);
  return () =>
    connected(databaseUrl, async (connection) => {
      await connection.query('SET SESSION foreign_key_checks = 0');
      for (const [name, count] of await filledTables(connection))
        if (!kept.has(name)) await connection.query(count < many ? 'DELETE FROM ??' : 'TRUNCATE TABLE ??', [name]);
    });
}

let emptying: (() => Promise<void>) | undefined;
/** That signs tokens, as a server has made it first. */
let signingKey: RowDataPacket | undefined;

const usable =
  'SELECT * FROM signing_keys WHERE generation = 1 AND expires_at IS NULL AND signs_at <= UTC_TIMESTAMP(3)';

/**
 * Takes out what the file before has left: servers look after all that is in their database, so that each file's would
 * follow the records of all files before it. The first call of a process finds the database as it was migrated; those after it
 * put the first signing key back, since a server that finds none makes one, which takes 0.15 s of the processor.
 */
export async function emptyDatabase(databaseUrl: string): Promise<void> {
  if (emptying === undefined) {
    emptying = await createEmptying(databaseUrl);
    return;
  }
  signingKey ??= await connected(
    databaseUrl,
    async (connection) => (await connection.query<RowDataPacket[]>(usable))[0][0],
  );
  await emptying();
  if (signingKey === undefined) return;
  await connected(databaseUrl, (connection) => connection.query('INSERT INTO signing_keys SET ?', [signingKey]));
}
