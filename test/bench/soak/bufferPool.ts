import { connectMysql } from '../../../db/services/urls.js';

/** Milliseconds; one that is frozen says nothing. */
const patienceMs = 1000;

/**
 * innodb_buffer_pool_size, in bytes. That much of MySQL's memory is bounded: data and indexes fill it, and after a kill
 * the redo log that is read again, sooner the more of them there are. What may not grow is the rest: connections,
 * prepared statements, dictionary, other caches.
 * @returns undefined while it does not answer
 */
export async function bufferPoolBytes(databaseUrl: string): Promise<number | undefined> {
  const connection = await connectMysql(databaseUrl).catch(() => undefined);
  if (connection === undefined) return undefined;
  // It may be killed between any two steps; the query below says so too.
  connection.on('error', () => undefined);
  try {
    const sql = 'SELECT @@innodb_buffer_pool_size AS bytes';
    const [rows] = await connection.query({ sql, timeout: patienceMs });
    return Number((rows as { readonly bytes: number }[])[0]?.bytes);
  } catch {
    return undefined;
  } finally {
    connection.destroy();
  }
}
