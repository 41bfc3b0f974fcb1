import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchPath } from '../../db/services/lookup.js';
import { findMysql, mysqlGraceMs, type MysqlBinaries } from '../../db/services/mysql.js';
import { markOf } from '../../src/cli/processMark.js';
import { startServices, type Services } from '../../db/services/start.js';
import { startTies } from '../../db/services/ties.js';
import { chosenMysql } from './fetched.js';
import { startProxy, through, type Proxy } from './proxy.js';

/** A MySQL or a Redis of a test's own that can be hurt, reached by way of a proxy that can be hurt too. */
export interface Service {
  /** By way of the proxy. */
  readonly url: string;
  /** Straight. */
  readonly directUrl: string;
  readonly proxy: Proxy;
  /** Another one after `restart`. */
  readonly pid: number;
  /** SIGSTOP: it holds its connections and says nothing. */
  freeze(): void;
  thaw(): void;
  /** kill -9. */
  kill(): void;
  /** After `kill`: the same data at the same address. */
  restart(): Promise<void>;
  end(): Promise<void>;
}

/**
 * Starts only the named one; the other is the run's own, and left alone.
 * @param settings further arguments of a MySQL server, asked for at each start
 * @param release of MySQL; else what the run has
 */
export async function startService(
  name: 'mysql' | 'redis',
  settings: () => readonly string[] = () => [],
  release?: string,
): Promise<Service> {
  const dir = mkdtempSync(join(tmpdir(), `verdict-${name}-`));
  const given = name === 'mysql' ? { redisUrl: process.env.REDIS_URL } : { databaseUrl: process.env.DATABASE_URL };
  // The folder outlives a stop, so that `restart` finds its data; and not this process, however that ends.
  const ties = startTies();
  ties.removeFolder(dir);
  const chosen = await chosenMysql(() => undefined, release);
  const start = async (): Promise<Services> => {
    const mysql = settings().length === 0 ? chosen : await withSettings(chosen, join(dir, 'server.sh'), settings());
    const started = await startServices({ dir, ...given, mysql, throwAway: false, say: () => undefined });
    const mark = markOf(started.pids[name] ?? 0);
    if (mark !== undefined) ties.watch(mark, mysqlGraceMs);
    return started;
  };
  let services = await start();
  const urlOf = (): string => (name === 'mysql' ? services.databaseUrl : (services.redisUrl ?? ''));
  const { hostname, port } = new URL(urlOf());
  const proxy = await startProxy({ host: hostname, port: Number(port) });
  const pidOf = (): number => services.pids[name]!;
  const signal = (kind: NodeJS.Signals): void => void process.kill(pidOf(), kind);
  return {
    url: through(urlOf(), proxy),
    directUrl: urlOf(),
    proxy,
    get pid() {
      return pidOf();
    },
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    kill: () => signal('SIGKILL'),
    async restart() {
      const before = urlOf();
      await services.stop();
      services = await start();
      if (urlOf() !== before) throw new Error(`${name} came back at another address`);
    },
    async end() {
      await services.stop();
      await proxy.close();
      ties.dismiss();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** The same server, begun by a script that adds the settings to its arguments. */
async function withSettings(
  chosen: MysqlBinaries | undefined,
  script: string,
  settings: readonly string[],
): Promise<MysqlBinaries | undefined> {
  const binaries = chosen ?? (await findMysql(searchPath(process.env['PATH'])));
  if (binaries === undefined) return undefined;
  writeFileSync(script, `#!/bin/sh\nexec '${binaries.server}' "$@" ${settings.join(' ')}\n`, { mode: 0o700 });
  return { ...binaries, server: script };
}
