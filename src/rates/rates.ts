import { LRUCache } from 'lru-cache';
import { Problem } from '../errors.js';
import type { Cache } from '../storage/redis.js';
import type { Limit } from './limit.js';

type Caller = { readonly kind: 'client'; readonly id: string } | { readonly kind: 'user' };

/** Holds clients and workspaces to their limits. */
export interface Rates {
  /** To be told whenever a client or a workspace is read, by its id. */
  know(id: string, limit: Limit | null): void;
  /** Counts a request of a client or an end user. Undefined, and nothing done, where neither has a limit. Rejects with `rate_limited`. */
  admit(principal: Caller, workspaceId?: string): Promise<void> | undefined;
}

interface Known {
  readonly id: string;
  limit: Limit;
  /**
   * What this process let through, as the generic cell rate algorithm has it: the time at which all of it will have been
   * earned, by the process's clock, in milliseconds.
   */
  earnedAt: number;
}

/** Those that are forgotten are known again when they are read next, within seconds. */
const maxKnown = 20_000;

/**
 * Redis counts what all processes let through together. Each process counts its own too, at the same rate: with Redis that
 * refuses nothing more; while Redis is away, it is what holds each process to the limit, and when Redis comes and goes,
 * what keeps that from giving a new burst each time. So two processes never let through more than twice the limit.
 * @param now milliseconds of a clock that never goes back
 */
export function createRates(cache: Pick<Cache, 'take'> | null, now = (): number => performance.now()): Rates {
  const known = new LRUCache<string, Known>({ max: maxKnown });

  async function take(entry: Known, whose: 'client' | 'workspace'): Promise<void> {
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
    know(id, limit) {
      if (limit === null) {
        if (known.size > 0) known.delete(id);
        return;
      }
      const entry = known.get(id);
      if (entry === undefined) known.set(id, { id, limit, earnedAt: 0 });
      else entry.limit = limit;
    },
    admit(principal, workspaceId) {
      if (known.size === 0) return undefined;
      const client = principal.kind === 'client' ? known.get(principal.id) : undefined;
      const workspace = workspaceId === undefined ? undefined : known.get(workspaceId);
      if (client === undefined) return workspace && take(workspace, 'workspace');
      return workspace === undefined
        ? take(client, 'client')
        : take(client, 'client').then(() => take(workspace, 'workspace'));
    },
  };
}

/** With the headers of draft-ietf-httpapi-ratelimit-headers-10: the policy by its name, what is left, and when more is. */
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
