import type { RowDataPacket } from 'mysql2/promise';
import { connectMysql } from '../../db/services/urls.js';

/** Tables that have rows in a database that was just migrated. */
let kept: ReadonlySet<string> | undefined;

/**
 * Takes out what the file before has left: servers look after all that is in their database, so that each file's would
 * follow the records of all files before it. The first call of a process finds the database as it was migrated.
 */
export async function emptyDatabase(databaseUrl: string): Promise<void> {
  const connection = await connectMysql(databaseUrl);
  const namesOf = async (statement: string): Promise<string[]> => {
    const [rows] = await connection.query<RowDataPacket[]>(statement);
    return rows.flatMap((row) => Object.values(row) as string[]);
  };
  try {
    const looks = (await namesOf('SHOW TABLES')).map((name) => `(SELECT '${name}' FROM \`${name}\` LIMIT 1)`);
    const filled = await namesOf(looks.join(' UNION ALL '));
    if (kept === undefined) kept = new Set(filled);
    else {
      await connection.query('SET SESSION foreign_key_checks = 0');
      for (const name of filled) if (!kept.has(name)) await connection.query('TRUNCATE TABLE ??', [name]);
    }
  } finally {
    connection.destroy();
  }
}
