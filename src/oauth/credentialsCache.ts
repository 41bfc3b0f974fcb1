import { LRUCache } from 'lru-cache';
import type { Entry } from '../storage/cache.js';
import type { Credentials } from './credentials.store.js';

/** What was read of a client id; without a value where there is no such client. */
export type CachedCredentials = Omit<Entry<Credentials | undefined>, 'revision'>;

/** When a read may begin: at once, or batched with others, at most 50 times a second. */
type Urgency = 'now' | 'paced';

export interface CredentialsCache {
  /** Undefined where nothing young enough is cached. */
  cached(id: string): CachedCredentials | undefined;
  /** A read that begins after the call. Undefined when too many wait; rejects with MySQL's errors. */
  read(id: string, urgency: Urgency): Promise<CachedCredentials | undefined>;
}

const paceMs = 20;
const maxIdsPerRead = 500;
const maxWaiting = 2000;
const maxClients = 10_000;
/** Unknown ids have a cache of their own, so that made-up ones do not evict clients. */
const maxUnknownIds = 1000;

type Found = ReadonlyMap<string, CachedCredentials>;

/** The ids that wait for the next read. */
interface Batch {
  readonly ids: Set<string>;
  /** Has the read begin as soon as the one before it has ended. */
  readonly hurry: () => void;
  readonly found: Promise<Found>;
}

/**
 * Clients and the digests of their secrets. Unlike other caches it reads many ids at once: reads that are requested
 * while one is under way share the next one, so that the load on MySQL does not grow with the requests.
 * @param load reads the existing clients among some ids
 * @param maxAgeMs how long a client that was disabled and a secret that was replaced may count still
 */
export function createCredentialsCache(
  load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Credentials>>,
  maxAgeMs: number,
): CredentialsCache {
  const clients = new LRUCache<string, CachedCredentials>({ ttl: maxAgeMs, max: maxClients });
  const unknownIds = new LRUCache<string, CachedCredentials>({ ttl: maxAgeMs, max: maxUnknownIds });
  let batch: Batch | undefined;
  let before: Promise<unknown> = Promise.resolve();

  async function readAll(ids: readonly string[]): Promise<Found> {
    const all = new Map<string, CachedCredentials>();
    for (let from = 0; from < ids.length; from += maxIdsPerRead) {
      const some = ids.slice(from, from + maxIdsPerRead);
      const readAt = performance.now();
      const found = await load(some);
      for (const id of some) {
        const cached = { value: found.get(id), readAt };
        const [to, other] = cached.value === undefined ? [unknownIds, clients] : [clients, unknownIds];
        other.delete(id);
        to.set(id, cached, { start: readAt });
        all.set(id, cached);
      }
    }
    return all;
  }

  function openBatch(): Batch {
    const ids = new Set<string>();
    let hurry = (): void => undefined;
    const begin = new Promise<void>((resolve) => (hurry = resolve));
    const found = before.then(async () => {
      setTimeout(hurry, paceMs);
      await begin;
      batch = undefined;
      return readAll([...ids]);
    });
    before = found.catch(() => undefined);
    return { ids, hurry, found };
  }

  return {
    cached: (id) => clients.get(id) ?? unknownIds.get(id),
    async read(id, urgency) {
      batch ??= openBatch();
      if (urgency === 'paced' && batch.ids.size >= maxWaiting && !batch.ids.has(id)) return undefined;
      batch.ids.add(id);
      if (urgency === 'now') batch.hurry();
      return (await batch.found).get(id);
    },
  };
}
