import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.js';
import type { MysqlBinaries } from '../../db/services/mysql.js';
import { startServices, type Services } from '../../db/services/start.js';
import { serversVariable } from './costs.js';
import { chosenMysql } from './fetched.js';
import { scratchDatabase } from './scratch.js';

/** A migrated database and a Redis for tests alone. */
export interface TestServices {
  /** What processes that run tests need in their environment. */
  readonly environment: NodeJS.ProcessEnv;
  readonly services: Services;
}

type Opened = TestServices & { close(): Promise<void> };

const given = (name: string): string | undefined => (process.env[name] === '' ? undefined : process.env[name]);

/**
 * Gives `work` that many, and takes them away again: of the servers that DATABASE_URL and REDIS_URL name, else each on
 * private ones, so that no test sees another's load in its server's counters. MYSQL names a release of MySQL to fetch and
 * to use in place of what the machine has. Throws `ServicesError`.
 */
export async function withTestServices<T>(
  count: number,
  say: (line: string) => void,
  work: (all: readonly TestServices[]) => Promise<T>,
): Promise<T> {
  const all: Opened[] = [];
  const mysql = count > 0 ? await chosenMysql(say) : undefined;
  const open = async (): Promise<void> => void all.push(await openServices(say, mysql));
  try {
    // The first alone: it may have to install the servers' packages.
    if (count > 0) await open();
    const others = await Promise.allSettled(Array.from({ length: Math.max(0, count - 1) }, open));
    const failed = others.find((other) => other.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return await work(all);
  } finally {
    await Promise.all(all.map((each) => each.close()));
  }
}

async function openServices(say: (line: string) => void, mysql: MysqlBinaries | undefined): Promise<Opened> {
  const services = await startServices({
    dir: mkdtempSync(join(tmpdir(), 'verdict-test-')),
    databaseUrl: given('DATABASE_URL'),
    redisUrl: given('REDIS_URL'),
    throwAway: true,
    mysql,
    say,
  });
  try {
    const database = await scratchDatabase(services.databaseUrl);
    const close = (): Promise<void> => database.drop().finally(() => services.stop());
    try {
      await migrate(database.url);
    } catch (error) {
      await database.drop();
      throw error;
    }
    const environment = {
      NODE_ENV: 'test',
      DATABASE_URL: database.url,
      REDIS_URL: services.redisUrl ?? '',
      ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      [serversVariable]: Object.values(services.pids).join(' '),
    };
    return { environment, services, close };
  } catch (error) {
    await services.stop();
    throw error;
  }
}
