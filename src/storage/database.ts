import knex, { type Knex } from 'knex';
import { retried } from '../clock/retried.js';
import { Problem } from '../errors.js';
import { createConnectionWatchdog, type WatchedConnection } from './connectionWatchdog.js';
import { isConnectionLoss, isContention } from './mysqlErrors.js';

export type Connection = Knex | Knex.Transaction;

/**
 * The same ids for `whereIn`, as one binding that the driver writes as a list. Of a list of its own knex asks lodash about each id: 2 % of
 * the main thread under executions (`test/bench/README.md`). Knex's types know no raw list there.
 */
export function asOneBinding(connection: Connection, ids: readonly Buffer[]): readonly Buffer[] {
  if (ids.length === 0) return ids;
  return connection.raw('?', [ids as unknown as Knex.Value]) as unknown as readonly Buffer[];
}

interface DatabaseOptions {
  readonly poolSize: number;
  /** Longest wait for a connection. */
  readonly acquireTimeoutMs: number;
  /** Longest silence of MySQL during a statement, after which its connection counts as lost; no limit when left out. */
  readonly statementTimeoutMs?: number;
  /** How long a statement waits for a row that another transaction holds. */
  readonly lockWaitS?: number;
}

/**
 * Opens the MySQL pool. Nothing connects before the first query.
 * @param url `mysql://user:password@host:port/database`
 */
export function openDatabase(url: string, options: DatabaseOptions): Knex {
  const { statementTimeoutMs, lockWaitS = 3 } = options;
  const watch = statementTimeoutMs === undefined ? undefined : createConnectionWatchdog(statementTimeoutMs);
  const database = knex({
    client: 'mysql2',
    connection: {
      uri: url,
      timezone: 'Z',
      supportBigNumbers: true,
      // JSON columns and objects never turn into SQL by themselves.
      jsonStrings: true,
      stringifyObjects: true,
      multipleStatements: false,
      connectTimeout: options.acquireTimeoutMs,
      // The limit of each connection. All clients of a server share its max_prepared_stmt_count (16,382 by default).
      maxPreparedStatements: 32,
    },
    pool: {
      min: 0,
      max: options.poolSize,
      // A server that accepts the connection and then is silent must not occupy a connection of the pool for long.
      createTimeoutMillis: options.acquireTimeoutMs * 2,
      destroyTimeoutMillis: 1000,
      afterCreate(connection: RawConnection, done: (error: unknown, connection: RawConnection) => void) {
        watch?.add(connection);
        connection.query(isolation, (error) => {
          if (error !== null) done(error, connection);
          else connection.query(sessionSettings(lockWaitS), (failure) => done(failure, connection));
        });
      },
    },
    acquireConnectionTimeout: options.acquireTimeoutMs,
    // Otherwise error messages hold the bound values, secrets among them.
    compileSqlOnError: false,
    // Knex warns on the console by itself; the server logs what matters.
    log: { warn: () => undefined, error: () => undefined, debug: () => undefined, deprecate: () => undefined },
  } as Knex.Config);
  sayWhatIsMissing(database, options);
  if (watch !== undefined) {
    const { pool } = database.client as { readonly pool: ConnectionPool };
    pool.on('acquireSuccess', (_, connection) => watch.acquired(connection));
    pool.on('release', (connection) => watch.released(connection));
  }
  return database;
}

/**
 * Knex's text where no connection came in time asks for a forgotten transaction, which sends whoever reads the log the wrong way.
 * The name stays, as `isConnectionLoss` and knex itself know the error by it.
 */
function sayWhatIsMissing(database: Knex, { acquireTimeoutMs, poolSize }: DatabaseOptions): void {
  const client = database.client as { acquireConnection(): Promise<unknown> };
  const acquire = client.acquireConnection.bind(client);
  client.acquireConnection = async () => {
    try {
      return await acquire();
    } catch (error) {
      if (!(error instanceof Error) || error.name !== 'KnexTimeoutError') throw error;
      error.message = `MySQL gave no connection within ${acquireTimeoutMs} ms, of ${poolSize} that there may be`;
      throw error;
    }
  };
}

/** The events of knex's pool (tarn) that tell who has a connection. */
interface ConnectionPool {
  on(event: 'acquireSuccess', listener: (eventId: number, connection: WatchedConnection) => void): void;
  on(event: 'release', listener: (connection: WatchedConnection) => void): void;
}

interface RawConnection extends WatchedConnection {
  query(sql: string, done: (error: unknown) => void): void;
}

// A statement of its own: it cannot be part of a SET, as its variable has another name in MySQL than in MariaDB before
// 11.1.
const isolation = 'SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED';
/**
 * Seconds after which MySQL ends an idle connection, and with it the locks of a vanished client; the pool ends its own
 * idle ones after 30.
 */
const silenceS = 60;
const sessionSettings = (lockWaitS: number): string => `SET SESSION innodb_lock_wait_timeout = ${lockWaitS},
  SESSION wait_timeout = ${silenceS},
  SESSION sql_mode = 'STRICT_TRANS_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION'`;

/**
 * Connection losses, and contention that retries did not resolve, as 503 `dependency_unavailable`; other errors
 * unchanged.
 */
export function asProblem(error: unknown): unknown {
  if (isContention(error)) return unavailable('Too many changes at once of what this one is about', error);
  return isConnectionLoss(error) ? unavailable('The database cannot be reached right now', error) : error;
}

const unavailable = (reason: string, cause: unknown): Problem =>
  new Problem('dependency_unavailable', `${reason}; try again shortly.`, { retryAfter: 1, cause });

/**
 * The rows of a table by its primary key alone, for statements that lock what they name: left to choose, the database reads, and
 * locks, all rows of a table that is small or was so when it last counted, and waits for those of others.
 */
export const byPrimaryKey = (connection: Connection, table: string): Knex.QueryBuilder =>
  connection(connection.raw('?? FORCE INDEX (PRIMARY)', [table]));

/** Deletes rows by their ids alone: see `byPrimaryKey`. @param rest the other columns of the primary key */
export async function deleteByPrimaryKey(
  connection: Connection,
  table: string,
  ids: readonly Buffer[],
  rest: Readonly<Record<string, Knex.Value>> = {},
): Promise<void> {
  if (ids.length === 0) return;
  // A DELETE of one table takes no hint, and MariaDB drops those of one that is written as if it had several.
  const named = ids.map(() => 'SELECT ? AS id').join(' UNION ALL ');
  const columns = Object.entries(rest);
  const conditions = ['??.id = named.id', ...columns.map(() => '??.?? = ?')].join(' AND ');
  await connection.raw(`DELETE ?? FROM (${named}) AS named STRAIGHT_JOIN ?? FORCE INDEX (PRIMARY) ON ${conditions}`, [
    table,
    ...ids,
    table,
    table,
    ...columns.flatMap(([column, value]) => [table, column, value]),
  ]);
}

/** Milliseconds for which a transaction is repeated; the last attempt may wait for a lock after that. */
const repeatedForMs = 5000;

/**
 * Runs `work` in a transaction; a lock wait timeout (1205), a deadlock (1213) or `ChangedMeanwhile` rolls back and
 * repeats it after growing pauses with jitter, until some seconds are over. `work` must therefore have no effect outside
 * the transaction.
 */
export function inTransaction<T>(database: Knex, work: (transaction: Knex.Transaction) => Promise<T>): Promise<T> {
  const until = performance.now() + repeatedForMs;
  const passes = (error: unknown): boolean => isContention(error) && performance.now() <= until;
  return retried(() => database.transaction(work), passes);
}

// Leases and windows of time begin and end by the database's clock, so that servers whose clocks differ agree on them.

/** SQL of the present moment. */
export const now = 'UTC_TIMESTAMP(3)';

/** The moment that is some milliseconds away, as a value; negative: in the past. */
export const inMs = (connection: Connection, ms: number): Knex.Raw =>
  connection.raw(`TIMESTAMPADD(MICROSECOND, ?, ${now})`, [Math.round(ms) * 1000]);
