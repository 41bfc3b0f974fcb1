import { mkdirSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName } from './apt.js';
import { messageOf, ServicesError } from './errors.js';
import { acquire, ownerOf, release } from './lock.js';
import { searchPath } from './lookup.js';
import type { MysqlBinaries, MysqlPurpose } from './mysql.js';
import type { ProcessMark } from '../../src/cli/processMark.js';
import { startOwn } from './own.js';
import { readState } from './state.js';
import { databaseOf, pingMysql, pingRedis, requireGiven } from './urls.js';
import { startTies } from './ties.js';

interface ServicesOptions {
  /** Data, logs, passwords and state; made when it is missing. */
  readonly dir: string;
  /** A server of the user's own: used, and none started. Likewise `redisUrl`. */
  readonly databaseUrl?: string | undefined;
  readonly redisUrl?: string | undefined;
  /** For tests and measurements: `dir` is removed at the end. */
  readonly throwAway: boolean;
  /** What MySQL is sized for; without it, production where `dir` is kept, and tests where it is not. */
  readonly purpose?: MysqlPurpose;
  /** Takes one line for the person at the terminal. */
  readonly say: (line: string) => void;
  /** Folders to look for programs in; by default PATH and the usual ones of servers. */
  readonly folders?: readonly string[] | undefined;
  /** In place of a MySQL or MariaDB that is found. */
  readonly mysql?: MysqlBinaries | undefined;
}

export interface Services {
  readonly databaseUrl: string;
  /** Null: no Redis to be had; the service runs without it, slower. */
  readonly redisUrl: string | null;
  /** Of what was started here; fault tests aim at them. */
  readonly pids: { readonly mysql?: number; readonly redis?: number };
  /** Has a process that depends on the services ended before them, should this process die. */
  watch(mark: ProcessMark, graceMs: number): void;
  /** Ends exactly what was started here, in order; may be called twice. */
  stop(): Promise<void>;
}

/**
 * Gives a MySQL (or MariaDB) and a Redis: those named, or private ones on free ports of the loopback address, with their
 * data in `dir`. Servers on default ports are left alone. Private ones live in a session of their own, so that Ctrl-C
 * reaches only the caller, who then calls `stop()`; if the caller dies without it, they end in order all the same (`ties.ts`).
 * Where another process already runs the services of `dir`, those are used and `stop()` leaves them running.
 * Throws `ServicesError`, whose message says what to do.
 */
export async function startServices(options: ServicesOptions): Promise<Services> {
  const dir = resolve(options.dir);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  await requireGivenServers(options);
  const { databaseUrl, redisUrl } = options;
  if (databaseUrl !== undefined && redisUrl !== undefined) return withGiven(databaseUrl, redisUrl);
  const needed: ServiceName[] = [];
  if (databaseUrl === undefined) needed.push('mysql');
  if (redisUrl === undefined) needed.push('redis');
  while (!acquire(dir)) {
    const attached = await attach(dir, options);
    if (attached !== undefined) return attached;
  }
  return startAsOwner(dir, needed, options);
}

async function requireGivenServers({ databaseUrl, redisUrl }: ServicesOptions): Promise<void> {
  if (databaseUrl !== undefined) {
    databaseOf(databaseUrl);
    await requireGiven('DATABASE_URL', databaseUrl, pingMysql);
  }
  if (redisUrl !== undefined) await requireGiven('REDIS_URL', redisUrl, pingRedis);
}

async function startAsOwner(dir: string, needed: readonly ServiceName[], options: ServicesOptions): Promise<Services> {
  const ties = startTies();
  if (options.throwAway) ties.removeFolder(dir);
  const finish = (): void => {
    ties.dismiss();
    release(dir);
    if (options.throwAway) rmSync(dir, { recursive: true, force: true });
  };
  try {
    const folders = options.folders ?? searchPath(process.env['PATH']);
    const { throwAway, purpose = throwAway ? 'test' : 'production', say, mysql } = options;
    const own = await startOwn({ dir, needed, folders, mysql, throwAway, purpose, say, ties });
    let stopped: Promise<void> | undefined;
    return {
      databaseUrl: options.databaseUrl ?? own.databaseUrl,
      redisUrl: options.redisUrl ?? own.redisUrl,
      pids: own.pids,
      watch: (mark, graceMs) => ties.watch(mark, graceMs),
      stop: () => (stopped ??= own.stop().finally(finish)),
    };
  } catch (error) {
    finish();
    throw error;
  }
}

const attachTimeoutMs = 180_000;

/** Waits until the services of another living process answer. Undefined: that process went away meanwhile. */
async function attach(dir: string, options: ServicesOptions): Promise<Services | undefined> {
  const owner = ownerOf(dir);
  if (owner === undefined) return undefined;
  options.say(`Using the services of process ${owner.pid}, which runs in the same folder; they end with it.`);
  const deadline = performance.now() + attachTimeoutMs;
  while (!readState(dir).ready) {
    if (ownerOf(dir)?.pid !== owner.pid) return undefined;
    if (performance.now() > deadline) {
      throw new ServicesError(
        `Process ${owner.pid} has been starting the services of ${dir} for minutes. End it first.`,
      );
    }
    await sleep(100);
  }
  const { mysql, redis } = readState(dir);
  if (mysql === undefined && options.databaseUrl === undefined) {
    throw new ServicesError(
      `Process ${owner.pid} runs in ${dir} with a DATABASE_URL of its own. End it, or set that one.`,
    );
  }
  const urls = { databaseUrl: options.databaseUrl ?? mysql?.url ?? '', redisUrl: options.redisUrl ?? redis?.url };
  await pingMysql(urls.databaseUrl).catch((error: unknown) => {
    throw new ServicesError(
      `The database of process ${owner.pid} does not answer: ${messageOf(error)}. End that process first.`,
    );
  });
  return withGiven(urls.databaseUrl, urls.redisUrl);
}

/** Services of which none was started here: `stop()` ends none. */
function withGiven(databaseUrl: string, redisUrl: string | undefined): Services {
  const ties = startTies();
  return {
    databaseUrl,
    redisUrl: redisUrl ?? null,
    pids: {},
    watch: (mark, graceMs) => ties.watch(mark, graceMs),
    stop() {
      ties.dismiss();
      return Promise.resolve();
    },
  };
}
