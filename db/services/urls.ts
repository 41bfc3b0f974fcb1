import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { createConnection, type Connection } from 'mysql2/promise';
import { messageOf, ServicesError } from './errors.js';

const connectTimeoutMs = 2000;

/** The address of a MySQL database, every part quoted for a URL. */
export function mysqlUrl(parts: { user: string; password: string; port: number; database: string }): string {
  const credentials = `${encodeURIComponent(parts.user)}:${encodeURIComponent(parts.password)}`;
  return `mysql://${credentials}@127.0.0.1:${parts.port}/${encodeURIComponent(parts.database)}`;
}

/** The same URL without its password, for messages; of several, separated by commas, each. */
export function withoutPassword(url: string): string {
  if (/,\s*\w+:\/\//.test(url)) return url.split(',').map(withoutPassword).join(',');
  if (!URL.canParse(url)) return 'the given address';
  const parsed = new URL(url);
  if (parsed.password !== '') parsed.password = '***';
  return parsed.href;
}

/** The database that a `mysql://` URL names. Throws `ServicesError` when it is not such a URL or names none. */
export function databaseOf(url: string): string {
  if (!URL.canParse(url) || new URL(url).protocol !== 'mysql:') {
    throw new ServicesError('DATABASE_URL must look like mysql://user:password@host:3306/database.');
  }
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  if (name === '' || name.includes('/')) {
    throw new ServicesError(
      'DATABASE_URL must end with the name of a database: mysql://user:password@host:3306/verdict.',
    );
  }
  return name;
}

/** The same server and credentials, another database. */
export function withDatabase(url: string, database: string): string {
  const parsed = new URL(url);
  parsed.pathname = `/${encodeURIComponent(database)}`;
  return parsed.href;
}

/** Opens one connection that gives up after 2 seconds. */
export function connectMysql(url: string): Promise<Connection> {
  return createConnection({ uri: url, connectTimeout: connectTimeoutMs });
}

/** Resolves when the server answers a query with these credentials; throws mysql2's error otherwise. */
export async function pingMysql(url: string): Promise<void> {
  const connection = await connectMysql(url);
  try {
    await connection.query('SELECT 1');
  } finally {
    connection.destroy();
  }
}

/** Resolves when Redis, or one of several nodes separated by commas, answers PING; throws otherwise, after at most 2 seconds. */
export async function pingRedis(urls: string): Promise<void> {
  await Promise.any(urls.split(',').map(pingNode)).catch((error: unknown) => {
    throw error instanceof AggregateError ? error.errors[0] : error;
  });
}

async function pingNode(url: string): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: connectTimeoutMs,
    commandTimeout: connectTimeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // Without a listener ioredis prints each failed attempt; the rejection below says it all.
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    await redis.ping();
  } finally {
    redis.disconnect();
  }
}

/** Repeats `ping` until it succeeds, `timeoutMs` have passed or `shouldStop` says so; throws the last error. */
export async function waitFor(
  ping: () => Promise<void>,
  timeoutMs: number,
  shouldStop: (error: unknown) => boolean = () => false,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      await ping();
      return;
    } catch (error) {
      if (performance.now() > deadline || shouldStop(error)) throw error;
      await sleep(50);
    }
  }
}

const givenServerTimeoutMs = 10_000;

/** Waits up to 10 seconds for a server that the user named; the error says which variable is wrong. */
export async function requireGiven(variable: string, url: string, ping: (url: string) => Promise<void>): Promise<void> {
  try {
    // A refused login does not get better by waiting; a server that is still starting does.
    await waitFor(
      () => ping(url),
      givenServerTimeoutMs,
      (error) => isRefusal(error),
    );
  } catch (error) {
    throw new ServicesError(
      `${variable} is set to ${withoutPassword(url)}, but that does not work: ${messageOf(error)}\n` +
        `Correct it, or unset ${variable} to have a private server started.`,
      { cause: error },
    );
  }
}

const refusals = new Set(['ER_ACCESS_DENIED_ERROR', 'ER_DBACCESS_DENIED_ERROR', 'ER_BAD_DB_ERROR', 'ENOTFOUND']);

function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && refusals.has(String(error.code))) return true;
  return /^(NOAUTH|WRONGPASS)/.test(error.message);
}
