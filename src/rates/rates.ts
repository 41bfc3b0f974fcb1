import { LRUCache } from 'lru-cache';
import { Problem } from '../errors.js';
import type { Cache } from '../storage/redis.js';
import type { Limit } from './limit.js';

type Caller = { readonly kind: 'client'; readonly id: string } | { readonly kind: 'user' };

/** Holds clients and workspaces to their limits. */
export interface Rates {
  /** To be called whenever a client or a workspace is read from the database. */
  setLimit(id: string, limit: Limit | null): void;
  /** Counts a request of a client or an end user. Undefined, and nothing done, where neither has a limit. Rejects with `rate_limited`. */
  admit(principal: Caller, workspaceId?: string): Promise<void> | undefined;
}

interface Bucket {
  readonly id: string;
  limit: Limit;
  /**
   * What this process let through, as the generic cell rate algorithm has it: the time at which all of it will have been
   * earned, by the process's clock, in milliseconds.
   */
  earnedAt: number;
}

/** An evicted bucket comes back when its client or workspace is read next, within seconds. */
const maxBuckets = 20_000;

/**
 * Redis counts the requests of all processes together. Each process also counts its own, at the same rate. While Redis
 * answers, that refuses nothing more. While Redis is unreachable, it holds each process to the limit; and when Redis fails
 * and recovers repeatedly, no recovery gives a new burst. So n processes never let through more than n times the limit.
 * @param now milliseconds of a clock that never goes back
 */
export function createRates(cache: Pick<Cache, 'take'> | null, now = (): number => performance.now()): Rates {
  const buckets = new LRUCache<string, Bucket>({ max: maxBuckets });

  async function take(entry: Bucket, whose: 'client' | 'workspace'): Promise<void> {
    const { limit } = entry;
    const intervalMs = 1000 / limit.perSecond;
    const time = now();
    // Bounded above for a limit that was lowered meanwhile.
    const earnedAt = Math.min(Math.max(entry.earnedAt, time), time + limit.burst * intervalMs);
    const waitMs = earnedAt - time - (limit.burst - 1) * intervalMs;
    if (waitMs > 0) throw refusal(limit, whose, waitMs);
    entry.earnedAt = earnedAt + intervalMs;
    const sharedMs = await cache?.take(`verdict:rate:${entry.id}`, intervalMs, limit.burst);
    if (sharedMs === undefined || sharedMs <= 0) return;
    entry.earnedAt -= intervalMs;
    throw refusal(limit, whose, sharedMs);
  }

  return {
    setLimit(id, limit) {
      if (limit === null) {
        if (buckets.size > 0) buckets.delete(id);
        return;
      }
      const entry = buckets.get(id);
      if (entry === undefined) buckets.set(id, { id, limit, earnedAt: 0 });
      else entry.limit = limit;
    },
    admit(principal, workspaceId) {
      if (buckets.size === 0) return undefined;
      const client = principal.kind === 'client' ? buckets.get(principal.id) : undefined;
      const workspace = workspaceId === undefined ? undefined : buckets.get(workspaceId);
      if (client === undefined) return workspace && take(workspace, 'workspace');
      return workspace === undefined
        ? take(client, 'client')
        : take(client, 'client').then(() => take(workspace, 'workspace'));
    },
  };
}

/** The refusal, with the headers of draft-ietf-httpapi-ratelimit-headers-10: the policy, what is left, and when there is more. */
function refusal({ perSecond, burst }: Limit, whose: 'client' | 'workspace', waitMs: number): Problem {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new Problem(
    'rate_limited',
    `The ${whose} may make ${perSecond} requests a second, and ${burst} at once; nothing was done.`,
    {
      retryAfter: seconds,
      headers: { RateLimit: `"${whose}";r=0;t=${seconds}`, 'RateLimit-Policy': `"${whose}";q=${perSecond};w=1` },
    },
  );
}
