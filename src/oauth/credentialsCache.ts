import { LRUCache } from 'lru-cache';
import type { Credentials } from './credentials.store.js';

/** What is known of a client id; `credentials` is undefined where there is no such client. */
export interface Known {
  readonly credentials: Credentials | undefined;
  /** When its read began, by `performance.now()`. */
  readonly readAt: number;
}

/** When a read may begin: at once, or batched with others, at most 50 times a second. */
export type Urgency = 'now' | 'paced';

export interface CredentialsCache {
  /** Undefined when nothing young enough is known. */
  known(id: string): Known | undefined;
  /** Undefined when too many wait; rejects with MySQL's errors. */
  read(id: string, urgency: Urgency): Promise<Known | undefined>;
}

/** A disabled client and a replaced secret are refused within 5 s: this age, plus the time of a request. */
const maxAgeMs = 4000;
const paceMs = 20;
const maxIdsPerRead = 500;
const maxWaiting = 2000;
const maxClients = 10_000;
/** Unknown ids have a cache of their own, so that made-up ones do not evict clients. */
const maxStrangers = 1000;

interface Waiting {
  readonly promise: Promise<Known>;
  readonly resolve: (known: Known) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Clients and the digests of their secrets. Reads that are requested while one is under way share the next one, a
 * single SELECT, so that the load on MySQL does not grow with the requests.
 * @param load reads the existing clients among some ids
 */
export function createCredentialsCache(
  load: (ids: readonly string[]) => Promise<ReadonlyMap<string, Credentials>>,
): CredentialsCache {
  const options = { ttl: maxAgeMs };
  const clients = new LRUCache<string, Known>({ ...options, max: maxClients });
  const strangers = new LRUCache<string, Known>({ ...options, max: maxStrangers });
  const waiting = new Map<string, Waiting>();
  let reading = false;
  let urgent = false;
  let timer: NodeJS.Timeout | undefined;

  const keep = (id: string, known: Known): void => {
    const [to, from] = known.credentials === undefined ? [strangers, clients] : [clients, strangers];
    from.delete(id);
    to.set(id, known, { start: known.readAt });
  };

  async function readSome(): Promise<void> {
    const some = [...waiting].slice(0, maxIdsPerRead);
    for (const [id] of some) waiting.delete(id);
    const readAt = performance.now();
    try {
      const found = await load(some.map(([id]) => id));
      for (const [id, { resolve }] of some) {
        const known = { credentials: found.get(id), readAt };
        keep(id, known);
        resolve(known);
      }
    } catch (error) {
      for (const [, { reject }] of some) reject(error);
    }
  }

  function consider(): void {
    if (reading || waiting.size === 0) return;
    if (!urgent) {
      timer ??= setTimeout(start, paceMs);
      return;
    }
    start();
  }

  function start(): void {
    clearTimeout(timer);
    timer = undefined;
    if (reading) return;
    reading = true;
    urgent = waiting.size > maxIdsPerRead && urgent;
    void readSome().then(() => {
      reading = false;
      consider();
    });
  }

  return {
    known: (id) => clients.get(id) ?? strangers.get(id),
    read(id, urgency) {
      let entry = waiting.get(id);
      if (entry === undefined) {
        if (urgency === 'paced' && waiting.size >= maxWaiting) return Promise.resolve(undefined);
        waiting.set(id, (entry = deferred()));
      }
      if (urgency === 'now') urgent = true;
      consider();
      return entry.promise;
    },
  };
}

function deferred(): Waiting {
  let settle: Omit<Waiting, 'promise'> | undefined;
  const promise = new Promise<Known>((resolve, reject) => (settle = { resolve, reject }));
  if (settle === undefined) throw new Error('a promise runs its executor at once');
  return { promise, ...settle };
}
