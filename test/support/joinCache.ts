import { openCache, type Cache } from '../../src/storage/redis.js';
import { eventually } from './eventually.js';
import { testEnvironment } from './settings.js';

const quiet = { warn: () => undefined, info: () => undefined };

/** A connection to the run's own Redis that can be asked and hears what moves, as a process of its own has. To be closed. */
export async function joinCache(): Promise<Cache> {
  const cache = openCache(testEnvironment().REDIS_URL!, quiet);
  let hears = false;
  cache.subscribe(() => (hears = true));
  await eventually(() => hears && cache.healthy());
  return cache;
}
