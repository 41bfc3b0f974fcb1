import { maxTogether } from './constants.js';
import type { Owner } from './owners.js';
import { longest, Shares, type Share } from './shares.js';

interface WorkspaceShare<T> extends Share {
  /** The workspace's items, the next one first. */
  waiting: T[];
  readonly tenant: TenantShare<T>;
}

interface TenantShare<T> extends Share {
  readonly workspaces: Shares<WorkspaceShare<T>>;
}

/** Which items are taken together. */
export interface TakeRules<T> {
  /** How many items at most, by the first of them. */
  readonly most: (first: T) => number;
  /** Whether an item is taken without others. */
  readonly alone: (item: T) => boolean;
  /**
   * Whether an item may be taken at present. Where it may not, later items of its workspace overtake it. Asked once of each in a
   * take; where no item is alone, what may be taken is.
   */
  readonly may: (item: T) => boolean;
}

/**
 * Items of work that wait for one resource. Next is the tenant that has used the resource for the least time, of that tenant the
 * workspace that has, and of that workspace the item that came first. So no tenant gets more by having more workspaces.
 */
export class FairQueue<T> {
  readonly #tenants: Shares<TenantShare<T>>;
  readonly #maxLeadMs: number;
  readonly #weigh: (item: T) => number;
  #size = 0;

  /**
   * @param maxLeadMs how much more than others a tenant or a workspace has used at most, as it counts
   * @param weigh the expected milliseconds of an item, which do not change while it waits; they are charged when it is taken
   */
  constructor(maxLeadMs: number, weigh: (item: T) => number = () => 0) {
    this.#tenants = new Shares(maxLeadMs);
    this.#maxLeadMs = maxLeadMs;
    this.#weigh = weigh;
  }

  get size(): number {
    return this.#size;
  }

  /** How many items of one workspace wait. */
  sizeOf(owner: Owner): number {
    return this.#find(owner)?.count ?? 0;
  }

  /** The sum of their weights. */
  weightOf(owner: Owner): number {
    return this.#find(owner)?.weight ?? 0;
  }

  /** Whether items of more than one workspace wait. */
  get isShared(): boolean {
    const { order } = this.#tenants;
    return order.length > 1 || (order[0]?.workspaces.order.length ?? 0) > 1;
  }

  /** How many tenants have waiting items, or how many workspaces of the owner's tenant where these are more. */
  rivals({ tenantId }: Owner): number {
    const tenants = this.#tenants.order.length;
    return Math.max(tenants, this.#tenants.find(tenantId)?.workspaces.order.length ?? 0);
  }

  /**
   * Estimates how many items are served before a new item of that workspace, as if all items took equally long. The workspace's own
   * waiting items are served first. In the same time every other workspace of its tenant, and every other tenant, has as many
   * items served, and those of one more take.
   * @param atOnce how many items one take has
   */
  ahead(owner: Owner, atOnce: number): number {
    const tenant = this.#tenants.find(owner.tenantId);
    const own = this.sizeOf(owner);
    const inTenant = tenant === undefined ? 0 : aheadAmong(tenant.count, own, tenant.workspaces.order.length, atOnce);
    return aheadAmong(this.#size, inTenant, this.#tenants.order.length, atOnce);
  }

  /** @param overtakes whether it goes before that item of its workspace */
  push(owner: Owner, item: T, overtakes?: (other: T) => boolean): void {
    const share = this.#shareOf(owner);
    const { waiting, tenant } = share;
    const weight = this.#weigh(item);
    tenant.workspaces.enqueued(share, weight);
    this.#tenants.enqueued(tenant, weight);
    this.#size++;
    const at = overtakes === undefined ? -1 : waiting.findIndex(overtakes);
    if (at === -1) waiting.push(item);
    else waiting.splice(at, 0, item);
  }

  /** Removes and returns the first items that may be taken, of the next workspace that has any; empty where none has. */
  take(rules: TakeRules<T>): T[] {
    for (const tenant of this.#tenants.order) {
      for (const share of tenant.workspaces.order) {
        const taken = takeFirst(share.waiting, rules);
        if (taken.length === 0) continue;
        const weight = this.#weightOf(taken);
        tenant.workspaces.served(share, taken.length, weight);
        this.#tenants.served(tenant, taken.length, weight);
        this.#size -= taken.length;
        return taken;
      }
    }
    return [];
  }

  /** Charges the owner with so many milliseconds more than were charged when the item was taken. */
  charge(owner: Owner, ms: number): void {
    if (ms === 0) return;
    const share = this.#shareOf(owner);
    share.tenant.workspaces.charge(share, ms);
    this.#tenants.charge(share.tenant, ms);
  }

  /** How many items match. Looks at everything that waits. */
  count(matches: (item: T) => boolean): number {
    let count = 0;
    for (const tenant of this.#tenants.order)
      for (const { waiting } of tenant.workspaces.order) for (const item of waiting) if (matches(item)) count++;
    return count;
  }

  /** Removes and returns all items that match. Looks at everything that waits. */
  extract(matches: (item: T) => boolean): T[] {
    const extracted: T[] = [];
    for (const tenant of [...this.#tenants.order]) {
      for (const share of [...tenant.workspaces.order]) {
        const kept: T[] = [];
        const taken: T[] = [];
        for (const item of share.waiting) (matches(item) ? taken : kept).push(item);
        if (taken.length > 0) this.#remove(share, kept, taken);
        extracted.push(...taken);
      }
    }
    return extracted;
  }

  /**
   * Makes room for an item of the owner: removes and returns the last item of the tenant with the most waiting items, and in it of
   * the workspace with the most. Undefined where the owner has as many itself.
   */
  pushOut(owner: Owner): T | undefined {
    const own = this.#find(owner);
    const most = longest(this.#tenants.order);
    if (most === undefined) return undefined;
    const isOther = most.name !== owner.tenantId;
    if (isOther && most.count <= (own?.tenant.count ?? 0) + 1) return undefined;
    const share = longest(most.workspaces.order);
    if (share === undefined || (!isOther && share.count <= (own?.count ?? 0) + 1)) return undefined;
    const last = share.waiting.at(-1);
    if (last !== undefined) this.#remove(share, share.waiting.slice(0, -1), [last]);
    return last;
  }

  #remove(share: WorkspaceShare<T>, kept: T[], taken: readonly T[]): void {
    const weight = this.#weightOf(taken);
    share.waiting = kept;
    share.tenant.workspaces.withdrawn(share, taken.length, weight);
    this.#tenants.withdrawn(share.tenant, taken.length, weight);
    this.#size -= taken.length;
  }

  #find({ tenantId, workspaceId }: Owner): WorkspaceShare<T> | undefined {
    return this.#tenants.find(tenantId)?.workspaces.find(workspaceId);
  }

  #shareOf({ tenantId, workspaceId }: Owner): WorkspaceShare<T> {
    const tenant =
      this.#tenants.find(tenantId) ??
      this.#tenants.add({ ...newShare(tenantId), workspaces: new Shares(this.#maxLeadMs) });
    const { workspaces } = tenant;
    return workspaces.find(workspaceId) ?? workspaces.add({ ...newShare(workspaceId), waiting: [], tenant });
  }

  #weightOf(items: readonly T[]): number {
    let weight = 0;
    for (const item of items) weight += this.#weigh(item);
    return weight;
  }
}

const newShare = (name: string): Share => ({ name, usedMs: 0, count: 0, weight: 0 });

/** Removes and returns the items of a workspace that may be taken together, beginning with the first that may be taken. */
function takeFirst<T>(waiting: T[], { most, alone, may }: TakeRules<T>): T[] {
  const from = waiting.findIndex((item, index) => index === maxTogether || may(item));
  const first = waiting[from];
  if (first === undefined || from === maxTogether) return [];
  const count = alone(first) ? 1 : most(first);
  const others = waiting.slice(from + 1, from + count);
  const end = others.findIndex((item) => !may(item) || alone(item));
  return waiting.splice(from, end === -1 ? count : end + 1);
}

/** How many items are ahead of a new item of somebody with `own` waiting items, beside `rivals` who have `total` together. */
const aheadAmong = (total: number, own: number, rivals: number, atOnce: number): number =>
  Math.min(total, own + (rivals - (own > 0 ? 1 : 0)) * (own + atOnce));
