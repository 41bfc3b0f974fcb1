import type { Connection, RowDataPacket } from 'mysql2/promise';
import { connectMysql } from '../../db/services/urls.js';
import { mysqlErrno, mysqlErrors } from '../../src/storage/mysqlErrors.js';

/** All that a small database holds, as statements. */
export interface Copy {
  /** Writes it into an empty database of the same kind of server. */
  into(databaseUrl: string): Promise<void>;
}

/** Connections that write at once: a server waits for the disk at each table. */
const writers = 4;

/** Reads a database whose rows are few, such as one that was just migrated. */
export async function copyOf(databaseUrl: string): Promise<Copy> {
  const connection = await connectMysql(databaseUrl);
  try {
    const names = (await rowsOf(connection, 'SHOW TABLES')).flatMap((row) => Object.values(row) as string[]);
    const statements: string[] = [];
    for (const name of names) statements.push(await statementOf(connection, name));
    const rows: [name: string, rows: unknown[][]][] = [];
    for (const name of names) {
      const found = await rowsOf(connection, 'SELECT * FROM ??', [name]);
      if (found.length > 0) rows.push([name, found.map((row) => Object.values(row) as unknown[])]);
    }
    return { into: (url) => write(url, statements, rows) };
  } finally {
    connection.destroy();
  }
}

async function statementOf(connection: Connection, name: string): Promise<string> {
  const [row] = await rowsOf(connection, 'SHOW CREATE TABLE ??', [name]);
  return String(row?.['Create Table']).replace(/ AUTO_INCREMENT=\d+/, '');
}

async function rowsOf(connection: Connection, sql: string, values: string[] = []): Promise<RowDataPacket[]> {
  const [rows] = await connection.query<RowDataPacket[]>(sql, values);
  return rows;
}

async function write(
  databaseUrl: string,
  statements: readonly string[],
  rows: readonly [name: string, rows: unknown[][]][],
): Promise<void> {
  const connections = await Promise.all(Array.from({ length: writers }, () => connectMysql(databaseUrl)));
  const left = [...statements];
  const make = async (connection: Connection): Promise<void> => {
    // Tables come before those that they refer to.
    await connection.query('SET SESSION foreign_key_checks = 0');
    for (let statement = left.shift(); statement !== undefined; statement = left.shift()) {
      try {
        await connection.query(statement);
      } catch (error) {
        // MySQL locks tables that refer to each other, in any order.
        if (mysqlErrno(error) !== mysqlErrors.deadlock) throw error;
        left.push(statement);
      }
    }
  };
  try {
    await Promise.all(connections.map(make));
    const [first] = connections;
    for (const [name, values] of rows) await first?.query('INSERT INTO ?? VALUES ?', [name, values]);
  } finally {
    for (const connection of connections) connection.destroy();
  }
}
