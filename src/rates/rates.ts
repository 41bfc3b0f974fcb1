import { Recent } from '../../workers/recent/index.js';
import { Problem } from '../errors.js';
import type { Cache } from '../storage/redis.js';
import type { Limit } from './limit.js';
import { Limiter } from './limiter.js';

type Caller = { readonly kind: 'client'; readonly id: string } | { readonly kind: 'user' };

/** Holds clients and workspaces to their limits. */
export interface Rates {
  /**
   * To be called whenever a client or a workspace is read from the database.
   * @param bucketId whose requests its own are counted with, each at the rate of who makes it; its own where null
   */
  setLimit(id: string, limit: Limit | null, bucketId?: string | null): void;
  /** Counts a request of a client or an end user. Undefined, and nothing done, where neither has a limit. Rejects with `rate_limited`. */
  admit(principal: Caller, workspaceId?: string): Promise<void> | undefined;
}

interface Limited {
  readonly bucketId: string;
  readonly limit: Limit;
}

/** An evicted limit comes back when its client or workspace is read next, within seconds. */
const maxLimits = 20_000;

/**
 * Redis counts the requests of all processes together. Each process also counts its own, at the same rate. While Redis
 * answers, that refuses nothing more. While Redis is unreachable, it holds each process to the limit; and when Redis fails
 * and recovers repeatedly, no recovery gives a new burst. So n processes never let through more than n times the limit.
 * @param now milliseconds of a clock that never goes back
 */
export function createRates(
  cache: Pick<Cache, 'take' | 'giveBack'> | null,
  now = (): number => performance.now(),
): Rates {
  const limits = new Recent<Limited>({ maxCount: maxLimits });
  const limiter = new Limiter(now);

  async function take({ bucketId, limit }: Limited, whose: 'client' | 'workspace'): Promise<void> {
    const waitMs = limiter.take(bucketId, limit);
    if (waitMs > 0) throw refusal(limit, whose, waitMs);
    const sharedMs = await cache?.take(keyOf(bucketId), 1000 / limit.perSecond, limit.burst);
    if (sharedMs === undefined || sharedMs <= 0) return;
    limiter.giveBack(bucketId, limit);
    throw refusal(limit, whose, sharedMs);
  }

  /** The client's token is for what is done: what the workspace's limit refuses costs none. */
  async function takeBoth(client: Limited, workspace: Limited): Promise<void> {
    await take(client, 'client');
    try {
      await take(workspace, 'workspace');
    } catch (error) {
      limiter.giveBack(client.bucketId, client.limit);
      await cache?.giveBack(keyOf(client.bucketId), 1000 / client.limit.perSecond);
      throw error;
    }
  }

  return {
    setLimit(id, limit, bucketId = null) {
      if (limit !== null) limits.set(id, { bucketId: bucketId ?? id, limit });
      else if (limits.size > 0) limits.delete(id);
    },
    admit(principal, workspaceId) {
      if (limits.size === 0) return undefined;
      const client = principal.kind === 'client' ? limits.get(principal.id) : undefined;
      const workspace = workspaceId === undefined ? undefined : limits.get(workspaceId);
      if (client === undefined) return workspace && take(workspace, 'workspace');
      return workspace === undefined ? take(client, 'client') : takeBoth(client, workspace);
    },
  };
}

const keyOf = (bucketId: string): string => `verdict:rate:${bucketId}`;

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
