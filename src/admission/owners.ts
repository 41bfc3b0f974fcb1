import { Recent } from '../../workers/recent/index.js';
import { maxRemembered } from './constants.js';

/** Whose work, bytes or time it is: a workspace's, or another caller's, of a tenant. */
export interface Owner {
  readonly tenantId: string;
  readonly workspaceId: string;
}

/** In place of a tenant, of all callers who have not said yet who they are: together they are one side. */
export const nobody = 'nobody';

/** Workspaces whose tenant is remembered: more than a process has the access of, which is what says their tenant. */
const maxKnown = 20_000;

/**
 * Which tenant a workspace is of, as known to this process: from the token or the policies by which a request came, and from
 * the row of a job. That never changes. A workspace of which it is not known yet counts as a tenant of its own.
 */
export class Owners {
  readonly #known = new Recent<{ tenantId: string; workspaceId: string }>({ maxCount: maxKnown });

  /** One object for each, which has the right tenant from when that is learnt. */
  of(workspaceId: string): Owner {
    return this.#known.get(workspaceId) ?? this.#add(workspaceId, workspaceId);
  }

  learn({ tenantId, workspaceId }: Owner): void {
    const owner = this.#known.get(workspaceId);
    if (owner === undefined) this.#add(workspaceId, tenantId);
    else owner.tenantId = tenantId;
  }

  /** Where there are too many, the tenant that has most of them loses some: so nobody has others' forgotten. */
  #add(workspaceId: string, tenantId: string): Owner {
    const owner = { tenantId, workspaceId };
    this.#known.set(workspaceId, owner, 1, tenantId);
    return owner;
  }
}

/** Who has waited for the resource and used it: a tenant, or one of its workspaces. */
export interface Share {
  readonly name: string;
  /** Milliseconds of the resource that it has used, or as much as the others where it had no work meanwhile. */
  usedMs: number;
  /** How many items wait. */
  count: number;
  /** What they weigh. */
  weight: number;
}

/**
 * Whose turn it is: of those with waiting work the one that has used the resource for the least time, and of several the one
 * that has waited longest. One that comes anew begins with what the others have used, so that nobody saves up time. What
 * one has used more than the others is remembered, up to a limit.
 */
export class Shares<S extends Share> {
  /** Those with waiting work, the one that has used the least time first. */
  readonly order: S[] = [];
  /** All of them, and some that had work before. */
  readonly #shares = new Map<string, S>();
  readonly #maxLeadMs: number;
  /** What the one that was served last had used before. */
  #levelMs = 0;

  constructor(maxLeadMs: number) {
    this.#maxLeadMs = maxLeadMs;
  }

  find(name: string): S | undefined {
    return this.#shares.get(name);
  }

  /** One that is not known, or no more: it begins with what the others have used. */
  add(share: S): S {
    if (this.#shares.size >= maxRemembered + this.order.length) this.#forgetLeast();
    share.usedMs = this.#levelMs;
    this.#shares.set(share.name, share);
    return share;
  }

  added(share: S, weight: number): void {
    if (share.count === 0) {
      share.usedMs = Math.max(share.usedMs, this.#levelMs);
      this.#insert(share);
    }
    share.count++;
    share.weight += weight;
  }

  /** So much of its waiting work was taken: it has had its turn, and is charged with what that is expected to take. */
  served(share: S, count: number, weight: number): void {
    // One that was passed over for long is served first now, but only once.
    this.#levelMs = Math.max(share.usedMs, this.#levelMs);
    this.order.splice(this.order.indexOf(share), 1);
    this.#add(share, weight);
    this.#lose(share, count, weight);
    if (share.count > 0) this.#insert(share);
  }

  /** So much of its work does not wait any more, and was not done. */
  removed(share: S, count: number, weight: number): void {
    this.#lose(share, count, weight);
    if (share.count === 0) this.order.splice(this.order.indexOf(share), 1);
  }

  charge(share: S, ms: number): void {
    this.#add(share, ms);
    if (share.count === 0) return;
    this.order.splice(this.order.indexOf(share), 1);
    this.#insert(share);
  }

  /** Of those without waiting work the one that has used the least time: it loses nothing by being forgotten. */
  #forgetLeast(): void {
    let least: S | undefined;
    for (const share of this.#shares.values()) {
      if (share.count > 0 || (least !== undefined && share.usedMs >= least.usedMs)) continue;
      least = share;
      if (share.usedMs <= this.#levelMs) break;
    }
    if (least !== undefined) this.#shares.delete(least.name);
  }

  #add(share: S, ms: number): void {
    share.usedMs = Math.min(Math.max(share.usedMs, this.#levelMs) + ms, this.#levelMs + this.#maxLeadMs);
  }

  #lose(share: S, count: number, weight: number): void {
    share.count -= count;
    share.weight = share.count === 0 ? 0 : share.weight - weight;
  }

  /** Behind those that have used as much. */
  #insert(share: S): void {
    let low = 0;
    let high = this.order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.order[middle] as S).usedMs <= share.usedMs) low = middle + 1;
      else high = middle;
    }
    this.order.splice(low, 0, share);
  }
}

/** Who has most waiting. */
export const longest = <S extends Share>(shares: readonly S[]): S | undefined =>
  shares.reduce<S | undefined>(
    (most, share) => (most === undefined || share.count > most.count ? share : most),
    undefined,
  );
