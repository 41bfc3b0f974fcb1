import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.js';
import { startServices, type Services } from '../../db/services/start.js';
import { closeTestDatabase } from '../support/scene.js';
import type { Watched } from './processes.js';

/** Services of a measurement's own, with a migrated database; servers and stores opened from here on use them. */
export interface Bed {
  readonly services: Services;
  /** MySQL and Redis, as far as they were started here. */
  readonly watched: readonly Watched[];
  stop(): Promise<void>;
}

/**
 * @param name of the measurement; the folder's name begins with it
 * @param durable every commit is flushed to the disk, as in production; else the operating system does that in its time
 */
export async function openBed(name: string, durable = false): Promise<Bed> {
  const dir = mkdtempSync(join(tmpdir(), `verdict-${name}-`));
  const services = await startServices({
    dir,
    throwAway: true,
    durable,
    say: (text) => process.stderr.write(`${text}\n`),
  });
  useServices(services);
  const stop = async (): Promise<void> => {
    await closeTestDatabase();
    await services.stop();
  };
  await migrate(services.databaseUrl).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  const { mysql, redis } = services.pids;
  return {
    services,
    watched: [
      ...(mysql === undefined ? [] : [{ name: 'MySQL', pid: mysql }]),
      ...(redis === undefined ? [] : [{ name: 'Redis', pid: redis }]),
    ],
    stop,
  };
}

/** What servers and stores of test/support read. */
export function useServices({ databaseUrl, redisUrl }: Pick<Services, 'databaseUrl' | 'redisUrl'>): void {
  process.env.DATABASE_URL = databaseUrl;
  process.env.REDIS_URL = redisUrl ?? '';
  process.env.ENCRYPTION_KEY ??= randomBytes(32).toString('hex');
}
