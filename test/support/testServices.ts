import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServices, type Services } from '../../db/services/start.js';
import { serversVariable } from './costs.js';
import { chosenMysql } from './fetched.js';
import { migratedScratch, type ScratchDatabase } from './scratch.js';

/** A migrated database and a Redis for tests alone. */
export interface TestServices {
  /** What each process that runs tests needs in its environment: a database and a number of Redis of its own. */
  readonly environments: readonly NodeJS.ProcessEnv[];
  readonly services: Services;
}

const given = (name: string): string | undefined => (process.env[name] === '' ? undefined : process.env[name]);

/**
 * Gives `work` so many databases, and takes them away again: on the servers that DATABASE_URL and REDIS_URL name, else on
 * one private MySQL and one private Redis. MYSQL names a release of MySQL to fetch and to use in place of what the machine
 * has. Throws `ServicesError`.
 */
export async function withTestServices<T>(
  count: number,
  say: (line: string) => void,
  work: (found: TestServices | undefined) => Promise<T>,
): Promise<T> {
  if (count === 0) return work(undefined);
  const services = await startServices({
    dir: mkdtempSync(join(tmpdir(), 'verdict-test-')),
    databaseUrl: given('DATABASE_URL'),
    redisUrl: given('REDIS_URL'),
    throwAway: true,
    mysql: await chosenMysql(say),
    say,
  });
  const databases: ScratchDatabase[] = [];
  try {
    for (let number = 0; number < count; number++) databases.push(await migratedScratch(services.databaseUrl));
    return await work({
      environments: databases.map(({ url }, number) => environmentOf(services, url, number)),
      services,
    });
  } finally {
    await Promise.all(databases.map((database) => database.drop())).finally(() => services.stop());
  }
}

function environmentOf({ redisUrl, pids }: Services, databaseUrl: string, number: number): NodeJS.ProcessEnv {
  // Whoever names a Redis says by its URL which number is for tests.
  const isOurs = given('REDIS_URL') === undefined && redisUrl !== null;
  return {
    NODE_ENV: 'test',
    DATABASE_URL: databaseUrl,
    REDIS_URL: isOurs ? new URL(`/${number}`, redisUrl).href : (redisUrl ?? ''),
    ENCRYPTION_KEY: randomBytes(32).toString('hex'),
    [serversVariable]: Object.values(pids).join(' '),
  };
}
