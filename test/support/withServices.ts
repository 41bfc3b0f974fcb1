import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.js';
import { startServices, type Services } from '../../db/services/start.js';
import { scratchDatabase } from './scratch.js';

const given = (name: string): string | undefined => (process.env[name] === '' ? undefined : process.env[name]);

/**
 * Gives `work` a migrated database and a Redis for tests alone, and takes them away again: of the servers that
 * DATABASE_URL and REDIS_URL name, else of private ones.
 * @param work gets what the processes that run tests need in their environment. Throws `ServicesError`.
 */
export async function withServices<T>(
  say: (line: string) => void,
  work: (environment: NodeJS.ProcessEnv, services: Services) => Promise<T>,
): Promise<T> {
  const services = await startServices({
    dir: mkdtempSync(join(tmpdir(), 'verdict-test-')),
    databaseUrl: given('DATABASE_URL'),
    redisUrl: given('REDIS_URL'),
    throwAway: true,
    say,
  });
  try {
    const database = await scratchDatabase(services.databaseUrl);
    try {
      await migrate(database.url);
      const environment = {
        NODE_ENV: 'test',
        DATABASE_URL: database.url,
        REDIS_URL: services.redisUrl ?? '',
        ENCRYPTION_KEY: randomBytes(32).toString('hex'),
      };
      return await work(environment, services);
    } finally {
      await database.drop();
    }
  } finally {
    await services.stop();
  }
}
