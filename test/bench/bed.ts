import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.js';
import type { MysqlPurpose } from '../../db/services/mysql.js';
import { startServices, type Services } from '../../db/services/start.js';
import { openProgress } from '../../src/cli/progress.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { closeTestDatabase } from '../support/scene.js';
import type { Watched } from './processes.js';
import { publish, type Report } from './report.js';

/** A setting of a measurement, from the environment. */
export const setting = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);

/** PROFILE: a folder in which each server leaves profiles of its threads, for Chrome's developer tools. */
const profiled = process.env.PROFILE ? ['--cpu-prof', `--cpu-prof-dir=${process.env.PROFILE}`] : [];

/** Services of a measurement's own, with a migrated database. */
export interface Bed {
  readonly services: Services;
  /** MySQL and Redis, as far as they were started here. */
  readonly watched: readonly Watched[];
  /** Starts a server on them. */
  readonly server: typeof startServer;
  /** Has something stopped at the end, what came last first. */
  readonly ends: (stop: () => unknown) => void;
}

/**
 * Runs one measurement on services of its own, publishes its report, and ends whatever was started.
 * @param name of the measurement; the names of its files begin with it
 * @param purpose of MySQL: `production` where flushes to the disk are part of what is measured
 */
export async function measure(
  name: string,
  work: (bed: Bed) => Promise<Report>,
  purpose: MysqlPurpose = 'measurement',
): Promise<void> {
  const stops: (() => unknown)[] = [];
  try {
    const dir = mkdtempSync(join(tmpdir(), `verdict-${name}-`));
    const say = (text: string): void => void process.stderr.write(`${text}\n`);
    const services = await startServices({ dir, throwAway: true, purpose, say });
    stops.push(() => services.stop());
    useServices(services);
    await migrate(services.databaseUrl);
    stops.push(closeTestDatabase);
    const server = async (...options: Parameters<typeof startServer>): Promise<ServerProcess> => {
      const [settings, nodeOptions = [], ...rest] = options;
      const started = await startServer({ LOG_LEVEL: 'warn', ...settings }, [...nodeOptions, ...profiled], ...rest);
      stops.push(() => started.stop());
      return started;
    };
    const { mysql, redis } = services.pids;
    const watched = [
      ...(mysql === undefined ? [] : [{ name: 'MySQL', pid: mysql }]),
      ...(redis === undefined ? [] : [{ name: 'Redis', pid: redis }]),
    ];
    publish(name, await work({ services, watched, server, ends: (stop) => void stops.push(stop) }));
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

/** What servers and stores of test/support read. */
export function useServices({ databaseUrl, redisUrl }: Pick<Services, 'databaseUrl' | 'redisUrl'>): void {
  process.env.DATABASE_URL = databaseUrl;
  process.env.REDIS_URL = redisUrl ?? '';
  process.env.ENCRYPTION_KEY ??= randomBytes(32).toString('hex');
}

/**
 * Measures all in turns, so that a disturbance of the machine hits none alone. Whoever is first finds the machine as the
 * last one left it, so every other round goes backwards.
 */
export async function inTurns<T, K extends string>(
  rounds: number,
  all: Readonly<Record<K, () => Promise<T>>>,
): Promise<Record<K, T[]>> {
  const names = Object.keys(all) as K[];
  const found = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<K, T[]>;
  const bar = openProgress(process.stderr, 'Measuring', rounds * names.length);
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      found[name].push(await all[name]());
      bar.advance();
    }
  }
  bar.end();
  return found;
}
