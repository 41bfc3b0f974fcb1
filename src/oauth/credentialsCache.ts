import { Cache, type Read } from '../cache/cache.js';
import { pause } from '../clock/timers.js';
import type { Credentials } from './credentials.store.js';

/** When a read may begin: at once, or batched with others, at most 50 times a second. */
type Urgency = 'now' | 'paced';

interface CredentialsCache {
  /** Undefined where there is no such client, or nothing young enough is cached. */
  cached(id: string): Credentials | undefined;
  /** By a read that begins after the call. Undefined also when too many wait; rejects with MySQL's errors. */
  read(id: string, urgency: Urgency): Promise<Credentials | undefined>;
}

const paceMs = 20;
const maxIdsPerRead = 500;
const maxWaiting = 2000;
const maxClients = 10_000;
const maxUnknownIds = 1000;

type Found = ReadonlyMap<string, Read<Credentials | undefined>>;

/** The ids that wait for the next read. */
interface Batch {
  readonly ids: Set<string>;
  /** Has the read begin as soon as the one before it has ended. */
  readonly hurry: () => void;
  readonly found: Promise<Found>;
}

/**
 * Clients and the digests of their secrets. Many ids are read at once: reads that are requested while one is under way share
 * the next one, so that the load on MySQL does not grow with the requests.
 * @param load reads the existing clients among some ids
 * @param maxAgeMs how long a client that was disabled and a secret that was replaced may count still
 */
export function cacheCredentials(
  load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Credentials>>,
  maxAgeMs: number,
): CredentialsCache {
  let batch: Batch | undefined;
  let before: Promise<unknown> = Promise.resolve();
  const cache = new Cache<Credentials | undefined, Urgency>({
    ...{ maxCount: maxClients, maxAbsent: maxUnknownIds, maxAgeMs },
    async load(id, urgency) {
      batch ??= openBatch();
      // What was not asked for is not known: it is too old to be used from the start.
      if (urgency === 'paced' && batch.ids.size >= maxWaiting && !batch.ids.has(id)) return tooMany;
      batch.ids.add(id);
      if (urgency === 'now') batch.hurry();
      return (await batch.found).get(id) ?? tooMany;
    },
  });

  async function readAll(ids: readonly string[]): Promise<Found> {
    const all = new Map<string, Read<Credentials | undefined>>();
    for (let from = 0; from < ids.length; from += maxIdsPerRead) {
      const some = ids.slice(from, from + maxIdsPerRead);
      const readAt = performance.now();
      const found = await load(some);
      for (const id of some) all.set(id, { value: found.get(id), readAt });
    }
    return all;
  }

  function openBatch(): Batch {
    const ids = new Set<string>();
    const urgent = new AbortController();
    const found = before.then(async () => {
      await pause(paceMs, urgent.signal);
      batch = undefined;
      return readAll([...ids]);
    });
    before = found.catch(() => undefined);
    return { ids, hurry: () => urgent.abort(), found };
  }

  return { cached: (id) => cache.fresh(id), read: (id, urgency) => cache.reread(id, urgency) };
}

const tooMany: Read<undefined> = { value: undefined, readAt: -Infinity };
