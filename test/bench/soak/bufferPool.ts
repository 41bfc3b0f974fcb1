import { connectMysql } from '../../../db/services/urls.js';

/** Milliseconds; one that is frozen says nothing. */
const patienceMs = 1000;
const variables = ['Innodb_buffer_pool_pages_total', 'Innodb_buffer_pool_pages_free', 'Innodb_page_size'];

/**
 * Bytes of the pages that hold something, by MySQL's own count. That part of its memory is bounded by
 * innodb_buffer_pool_size: data and indexes fill it, sooner after a restart the more of them there are. What may not
 * grow is the rest: connections, prepared statements, dictionary, other caches.
 * @returns undefined while it does not answer
 */
export async function bufferPoolBytes(databaseUrl: string): Promise<number | undefined> {
  const connection = await connectMysql(databaseUrl).catch(() => undefined);
  if (connection === undefined) return undefined;
  // It may be killed between any two steps; the query below says so too.
  connection.on('error', () => undefined);
  try {
    const sql = 'SHOW GLOBAL STATUS WHERE Variable_name IN (?)';
    const [rows] = await connection.query({ sql, values: [variables], timeout: patienceMs });
    const status = new Map((rows as StatusRow[]).map((row) => [row.Variable_name, Number(row.Value)]));
    const [total, free, page] = variables.map((name) => status.get(name));
    return total === undefined || free === undefined || page === undefined ? undefined : (total - free) * page;
  } catch {
    return undefined;
  } finally {
    connection.destroy();
  }
}

interface StatusRow {
  readonly Variable_name: string;
  readonly Value: string;
}
