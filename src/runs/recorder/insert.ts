import type { Knex } from 'knex';

/** What a column can hold; nothing else is ever bound. */
export type Value = string | number | Buffer | Date | null;

/** A row's values, in the order of the table's columns. */
export type Values = readonly Value[];

export interface Insert {
  /**
   * Writes all rows in one statement, or none. `repeated`: a row that is there already (by its id) is left as it is,
   * for when the outcome of an earlier attempt is not known. Rejects as mysql2 does.
   */
  (rows: readonly Values[], repeated: boolean): Promise<void>;
}

interface RawConnection {
  execute(sql: string, values: Value[], done: (error: unknown) => void): void;
}

/** The part of knex's client that hands out bare connections of its pool. */
interface RawPool {
  acquireConnection(): Promise<RawConnection>;
  releaseConnection(connection: RawConnection): Promise<void>;
}

/**
 * A multi-row INSERT on a bare connection, prepared once per connection and number of rows. For 32 rows that costs the
 * process about half of what knex's builder does, and the server parses nothing.
 */
export function createInsert(database: Knex, table: string, columns: readonly string[]): Insert {
  const pool = database.client as RawPool;
  const head = `INSERT INTO ${table} (${columns.join(', ')}) VALUES `;
  const tuple = `(${columns.map(() => '?').join(', ')})`;
  const statements = new Map<string, string>();

  const statement = (rows: number, repeated: boolean): string => {
    const key = `${rows}${repeated ? ' repeated' : ''}`;
    let sql = statements.get(key);
    if (sql === undefined) {
      sql = head + Array<string>(rows).fill(tuple).join(', ') + (repeated ? ' ON DUPLICATE KEY UPDATE id = id' : '');
      statements.set(key, sql);
    }
    return sql;
  };

  return async (rows, repeated) => {
    const connection = await pool.acquireConnection();
    try {
      await new Promise<void>((resolve, reject) => {
        connection.execute(statement(rows.length, repeated), rows.flat(), (error) => {
          if (error instanceof Error) reject(error);
          else resolve();
        });
      });
    } finally {
      await pool.releaseConnection(connection);
    }
  };
}
