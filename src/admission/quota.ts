import { Problem } from '../errors.js';
import { maxRemembered } from './constants.js';
import type { Owner } from './owners.js';
import { Waiters } from './waiters.js';

/** Share of the capacity that is reserved for the guarantees of tenants. */
const guaranteedShare = 1 / 4;
/** How many tenants can use their whole guarantee at once. */
const guarantees = 16;
/**
 * A workspace may hold at most so many times what its tenant may still take: alone 16/17 of what the tenant may have, and
 * there is room for another. More: less is kept free, and the next workspace begins with less.
 */
const workspaceFactor = 16;
/** Share of the capacity that large requests leave to small ones of their tenant. */
const spareShare = 1 / 16;

/** What one tenant holds: first of the guaranteed part, then of the shared one. */
interface Tenant {
  readonly id: string;
  guaranteed: number;
  shared: number;
  /** How many workspaces of it are open. */
  open: number;
}

/** A workspace, or another caller, of a tenant. */
export interface Holder {
  readonly name: string;
  readonly tenant: Tenant;
  held: number;
  /** How often it was opened and not closed. */
  open: number;
}

/**
 * Who may hold how much of what is bounded for all: bytes, or a number of things. A quarter is guaranteed, in equal parts, to
 * the first that each tenant holds. The rest is shared by the dynamic-threshold rule of buffers in switches (Choudhury and
 * Hahne, 1998, with alpha 1): a tenant may hold at most as much as is free. A single tenant gets half, each of n gets
 * 1/(n+1), and there is always room for one more. By the same rule, with another factor, a tenant's workspaces share what it
 * may hold.
 */
export class Quota {
  readonly capacity: number;
  readonly #maxGuaranteed: number;
  readonly #maxShared: number;
  /** What is guaranteed to one tenant. */
  readonly #guarantee: number;
  readonly #tenants = new Map<string, Tenant>();
  readonly #holders = new Map<string, Holder>();
  readonly #maxWaitMs: number;
  readonly #waiters = new Waiters();
  #openTenants = 0;
  #held = 0;
  #guaranteed = 0;
  /**
   * The sum of what is shared, each tenant's capped at what the rule could give it: an excess must not lower the others'
   * thresholds.
   */
  #shared = 0;
  #refusals = 0;

  /** @param maxWaitMs how long a caller who may leave waits for room */
  constructor(capacity: number, maxWaitMs = Infinity) {
    this.capacity = capacity;
    this.#maxWaitMs = maxWaitMs;
    this.#maxGuaranteed = Math.floor(capacity * guaranteedShare);
    this.#maxShared = capacity - this.#maxGuaranteed;
    this.#guarantee = Math.floor(this.#maxGuaranteed / guarantees);
  }

  /** All that is held. */
  get held(): number {
    return this.#held;
  }

  get refusals(): number {
    return this.#refusals;
  }

  /** The owner's account: to be opened before anything is held by it, and closed as often once nothing is. */
  holderOf({ tenantId, workspaceId: name }: Owner): Holder {
    const known = this.#holders.get(name);
    // Where its tenant was not known until now, what it holds already stays with the account that it had.
    if (known?.tenant.id === tenantId) return known;
    if (known?.tenant.open === 0) this.#tenants.delete(known.tenant.id);
    let tenant = this.#tenants.get(tenantId);
    if (tenant === undefined)
      this.#tenants.set(tenantId, (tenant = { id: tenantId, guaranteed: 0, shared: 0, open: 0 }));
    const holder = { name, tenant, held: 0, open: 0 };
    this.#holders.set(name, holder);
    return holder;
  }

  open(holder: Holder): void {
    if (holder.open++ === 0 && holder.tenant.open++ === 0) this.#openTenants++;
  }

  close(holder: Holder): void {
    if (--holder.open > 0) return;
    const { tenant } = holder;
    if (--tenant.open === 0) this.#openTenants--;
    // Accounts are kept for the next request, which is quicker than making them anew.
    if (this.#holders.size <= maxRemembered) return;
    if (this.#holders.get(holder.name) === holder) this.#holders.delete(holder.name);
    if (tenant.open === 0 && this.#tenants.get(tenant.id) === tenant) this.#tenants.delete(tenant.id);
  }

  /** Holds so much until the returned function is called; undefined where the owner may not hold so much more. */
  hold(owner: Owner, amount: number): (() => void) | undefined {
    const holder = this.holderOf(owner);
    if (!this.hasRoom(holder, amount)) return undefined;
    this.open(holder);
    this.force(holder, amount);
    return () => {
      this.giveBack(holder, amount);
      this.close(holder);
    };
  }

  /** Whether the tenant, and the workspace of it, may hold so much more. */
  hasRoom(holder: Holder, amount: number): boolean {
    return amount <= this.#roomFor(holder);
  }

  /** Throws `overloaded`, with nothing taken, when the tenant, or the workspace of it, may not hold so much more. */
  take(holder: Holder, amount: number): void {
    if (!this.hasRoom(holder, amount)) throw this.refusal();
    this.force(holder, amount);
  }

  /**
   * Takes so much once there is room for it, in the order of arrival. Rejects with `overloaded` once `endWaits` was called.
   * @param gone whether the caller has left. A caller that gives this is a request: it is also refused after the longest wait, and
   * leaves its tenant room for small requests
   */
  takeLater(holder: Holder, amount: number, gone?: () => boolean): Promise<void> {
    const isRequest = gone !== undefined;
    return new Promise((resolve, reject) => {
      this.#waiters.add({
        tenantId: holder.tenant.id,
        hasRoom: () => this.hasRoom(holder, amount + (isRequest ? this.#spareOf(holder.tenant) : 0)),
        until: isRequest ? performance.now() + this.#maxWaitMs : Infinity,
        gone: gone ?? never,
        begin: () => {
          this.force(holder, amount);
          resolve();
        },
        refuse: () => reject(this.refusal()),
      });
    });
  }

  /** Refuses all that wait, with nothing taken: the server stops. */
  endWaits(): void {
    this.#waiters.end();
  }

  /** Charges what is held already, even above the tenant's share. */
  force(holder: Holder, amount: number): void {
    const { tenant } = holder;
    const guaranteed = Math.min(amount, this.#guaranteedRoom(tenant));
    tenant.guaranteed += guaranteed;
    this.#guaranteed += guaranteed;
    if (amount > guaranteed) this.#setShared(tenant, tenant.shared + amount - guaranteed);
    holder.held += amount;
    this.#held += amount;
  }

  giveBack(holder: Holder, amount: number): void {
    const { tenant } = holder;
    const shared = Math.min(amount, tenant.shared);
    if (shared > 0) this.#setShared(tenant, tenant.shared - shared);
    tenant.guaranteed -= amount - shared;
    this.#guaranteed -= amount - shared;
    holder.held -= amount;
    this.#held -= amount;
    this.#waiters.offerSoon();
  }

  /**
   * Whether the tenant holds so much, because estimates were too low, that no work may be started for it: more than the
   * rule gives anybody, or, where all together exceed the shared part, more than an equal part of it.
   */
  isAboveShare({ tenant: { shared } }: Holder): boolean {
    if (shared > this.#maxShared / 2) return true;
    return this.#shared > this.#maxShared && shared > this.#maxShared / this.#openTenants;
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

  /**
   * Room that a waiting request, which is large, leaves to its tenant's small ones. Without it these would be refused at once, and
   * come again at once, hundreds of times a second. A tenant that holds nothing has no small requests to leave room for.
   */
  #spareOf({ guaranteed, shared }: Tenant): number {
    return Math.min(this.capacity * spareShare, guaranteed + shared);
  }

  /** What the tenant may take, as far as the workspace may hold it. */
  #roomFor({ tenant, held }: Holder): number {
    const free = Math.max(0, (this.#maxShared - this.#shared - tenant.shared) / 2);
    // A workspace that holds h may take b of what is free for its tenant while h + b is at most the factor times the rest.
    const own = Math.max(0, (workspaceFactor * free - held) / (workspaceFactor + 1));
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

const never = (): boolean => false;
