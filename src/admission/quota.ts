import { Problem } from '../errors.js';
import type { Owner } from './owners.js';

/** Share of the capacity that is reserved for the guarantees of tenants. */
const guaranteedShare = 1 / 4;
/** How many tenants can use their whole guarantee at once. */
const guarantees = 16;
/**
 * A workspace may hold at most so many times what its tenant may still take: alone 16/17 of what the tenant may have, and
 * there is room for another. More: less is kept free, and the next workspace begins with less.
 */
const workspaceFactor = 16;

/** What one tenant holds, in bytes: first of the guaranteed part, then of the shared one. */
interface Tenant {
  readonly id: string;
  guaranteed: number;
  shared: number;
  readonly holders: Map<string, Holder>;
}

/** A workspace, or another caller, of a tenant. */
export interface Holder {
  readonly name: string;
  readonly tenant: Tenant;
  bytes: number;
  /** Its reservations that are not closed. */
  open: number;
}

/**
 * Who may hold how much. A quarter is guaranteed, in equal parts, to the first bytes of each tenant. The rest is shared by the
 * dynamic-threshold rule of buffers in switches (Choudhury and Hahne, 1998, with alpha 1): a tenant may hold at most as
 * much as is free. A single tenant gets half, each of n gets 1/(n+1), and there is always room for one more. By the same
 * rule, with another factor, a tenant's workspaces share what it may hold.
 */
export class ByteShares {
  readonly capacity: number;
  readonly #maxGuaranteed: number;
  readonly #maxShared: number;
  /** Bytes that are guaranteed to one tenant. */
  readonly #guarantee: number;
  readonly #tenants = new Map<string, Tenant>();
  #held = 0;
  #guaranteed = 0;
  /**
   * The sum of shared bytes, each tenant's capped at what the rule could give it: an excess must not lower the others'
   * thresholds.
   */
  #shared = 0;
  #refusals = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#maxGuaranteed = Math.floor(capacity * guaranteedShare);
    this.#maxShared = capacity - this.#maxGuaranteed;
    this.#guarantee = Math.floor(this.#maxGuaranteed / guarantees);
  }

  /** All bytes that are held. */
  get held(): number {
    return this.#held;
  }

  get refusals(): number {
    return this.#refusals;
  }

  /** To be closed as often as it is asked for. */
  holderOf({ tenantId: id, workspaceId: name }: Owner): Holder {
    let tenant = this.#tenants.get(id);
    if (tenant === undefined) this.#tenants.set(id, (tenant = { id, guaranteed: 0, shared: 0, holders: new Map() }));
    let holder = tenant.holders.get(name);
    if (holder === undefined) tenant.holders.set(name, (holder = { name, tenant, bytes: 0, open: 0 }));
    return holder;
  }

  close(holder: Holder): void {
    if (--holder.open > 0) return;
    const { tenant } = holder;
    tenant.holders.delete(holder.name);
    if (tenant.holders.size === 0) this.#tenants.delete(tenant.id);
  }

  /** Throws `overloaded`, with nothing taken, when the tenant, or the workspace of it, may not hold so much more. */
  take(holder: Holder, bytes: number): void {
    if (bytes > this.#roomFor(holder)) throw this.refusal();
    this.force(holder, bytes);
  }

  /** Charges bytes that are in memory already, even above the tenant's share. */
  force(holder: Holder, bytes: number): void {
    const { tenant } = holder;
    const guaranteed = Math.min(bytes, this.#guaranteedRoom(tenant));
    tenant.guaranteed += guaranteed;
    this.#guaranteed += guaranteed;
    if (bytes > guaranteed) this.#setShared(tenant, tenant.shared + bytes - guaranteed);
    holder.bytes += bytes;
    this.#held += bytes;
  }

  giveBack(holder: Holder, bytes: number): void {
    const { tenant } = holder;
    const shared = Math.min(bytes, tenant.shared);
    if (shared > 0) this.#setShared(tenant, tenant.shared - shared);
    tenant.guaranteed -= bytes - shared;
    this.#guaranteed -= bytes - shared;
    holder.bytes -= bytes;
    this.#held -= bytes;
  }

  /**
   * Whether the tenant holds so much, because estimates were too low, that no work may be started for it: more than the
   * rule gives anybody, or, where all together exceed the shared part, more than an equal part of it.
   */
  isAboveShare({ tenant: { shared } }: Holder): boolean {
    if (shared > this.#maxShared / 2) return true;
    return this.#shared > this.#maxShared && shared > this.#maxShared / this.#tenants.size;
  }

  /** Counts, and returns, a refusal. */
  refusal(): Problem {
    this.#refusals++;
    return new Problem(
      'overloaded',
      'Requests, results and unread answers of this caller hold too much memory right now. Nothing was run.',
      { retryAfter: 1 },
    );
  }

  /** What the tenant may take, as far as the workspace may hold it. */
  #roomFor({ tenant, bytes }: Holder): number {
    const free = Math.max(0, (this.#maxShared - this.#shared - tenant.shared) / 2);
    // A workspace that holds h may take b of what is free for its tenant while h + b is at most the factor times the rest.
    const own = Math.max(0, (workspaceFactor * free - bytes) / (workspaceFactor + 1));
    return this.#guaranteedRoom(tenant) + Math.min(free, own);
  }

  #guaranteedRoom({ guaranteed }: Tenant): number {
    return Math.min(this.#guarantee - guaranteed, this.#maxGuaranteed - this.#guaranteed);
  }

  #setShared(tenant: Tenant, shared: number): void {
    const most = this.#maxShared / 2;
    this.#shared += Math.min(shared, most) - Math.min(tenant.shared, most);
    tenant.shared = shared;
  }
}
