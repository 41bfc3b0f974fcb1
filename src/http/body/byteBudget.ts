import { Problem } from '../../errors.js';

/** Share of the capacity that is reserved for the guarantees of owners. */
const guaranteedShare = 1 / 4;
/** How many owners can use their whole guarantee at once. */
const guarantees = 16;

/** The account that bytes are charged to. `grow` throws to refuse them. */
export interface ByteAccount {
  /** Name of a workspace or a tenant. */
  readonly owner: string;
  grow(bytes: number): void;
  shrink(bytes: number): void;
}

/** What one owner holds, in bytes: first of the guaranteed part, then of the shared one. */
interface Owner {
  readonly name: string;
  guaranteed: number;
  shared: number;
}

/** The budget's status: bytes, and the number of refusals since the start. */
export interface BytesStatus {
  readonly bytesInFlight: number;
  readonly maxBytesInFlight: number;
  readonly bytesRefused: number;
}

/**
 * The bytes that requests of this process hold, by owner (a workspace, a tenant), from the first byte of a body to the
 * last one of the answer.
 *
 * A quarter is guaranteed, in equal parts, to the first bytes of each owner. The rest is shared by the
 * dynamic-threshold rule of buffers in switches (Choudhury and Hahne, 1998, with alpha 1): an owner may hold at most as
 * much as is free. A single owner gets half, each of n gets 1/(n+1), and there is always room for one more.
 */
export class ByteBudget {
  readonly #capacity: number;
  readonly #maxGuaranteed: number;
  readonly #maxShared: number;
  /** Bytes that are guaranteed to one owner. */
  readonly #guarantee: number;
  readonly #owners = new Map<string, Owner>();
  #held = 0;
  #guaranteed = 0;
  /**
   * The sum of shared bytes, each owner's capped at what the rule could give it: an excess must not lower the others'
   * thresholds.
   */
  #shared = 0;
  #refusals = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
    this.#maxGuaranteed = Math.floor(capacity * guaranteedShare);
    this.#maxShared = capacity - this.#maxGuaranteed;
    this.#guarantee = Math.floor(this.#maxGuaranteed / guarantees);
  }

  /**
   * Opens the account of one request with its first bytes. Throws `overloaded`.
   * @param owner name of the workspace, tenant or other account
   */
  reserve(owner: string, bytes: number): Reservation {
    let found = this.#owners.get(owner);
    if (found === undefined) {
      found = { name: owner, guaranteed: 0, shared: 0 };
      this.#owners.set(owner, found);
    }
    const reservation = new Reservation(this, found);
    try {
      reservation.grow(bytes);
    } finally {
      this.#forget(found);
    }
    return reservation;
  }

  status(): BytesStatus {
    return { bytesInFlight: Math.round(this.#held), maxBytesInFlight: this.#capacity, bytesRefused: this.#refusals };
  }

  /** Throws `overloaded`, with nothing taken, when the owner may not hold so much more. */
  take(owner: Owner, bytes: number): void {
    const beyond = bytes - this.#guaranteedRoom(owner);
    if (beyond > 0 && owner.shared + beyond > this.#maxShared - this.#shared - beyond) {
      this.#refusals++;
      throw overloaded();
    }
    this.force(owner, bytes);
  }

  /** Charges bytes that are in memory already, even above the owner's share. */
  force(owner: Owner, bytes: number): void {
    const guaranteed = Math.min(bytes, this.#guaranteedRoom(owner));
    owner.guaranteed += guaranteed;
    this.#guaranteed += guaranteed;
    if (bytes > guaranteed) this.#setShared(owner, owner.shared + bytes - guaranteed);
    this.#held += bytes;
  }

  giveBack(owner: Owner, bytes: number): void {
    const shared = Math.min(bytes, owner.shared);
    if (shared > 0) this.#setShared(owner, owner.shared - shared);
    owner.guaranteed -= bytes - shared;
    this.#guaranteed -= bytes - shared;
    this.#held -= bytes;
    this.#forget(owner);
  }

  /**
   * Whether the owner holds so much, because estimates were too low, that no work may be started for it: more than the
   * rule gives anybody, or, where all together exceed the shared part, more than an equal part of it.
   */
  isAboveShare({ shared }: Owner): boolean {
    if (shared > this.#maxShared / 2) return true;
    return this.#shared > this.#maxShared && shared > this.#maxShared / this.#owners.size;
  }

  /** Counts, and returns, a refusal by a caller of the budget. */
  refusal(): Problem {
    this.#refusals++;
    return overloaded();
  }

  #guaranteedRoom({ guaranteed }: Owner): number {
    return Math.min(this.#guarantee - guaranteed, this.#maxGuaranteed - this.#guaranteed);
  }

  #setShared(owner: Owner, shared: number): void {
    const most = this.#maxShared / 2;
    this.#shared += Math.min(shared, most) - Math.min(owner.shared, most);
    owner.shared = shared;
  }

  #forget({ name, guaranteed, shared }: Owner): void {
    if (guaranteed + shared === 0) this.#owners.delete(name);
  }
}

/** Most bytes that V8 keeps a text in: two for each character where one is beyond Latin-1. */
export const textBytes = ({ length }: string): number => 2 * length;

/** The bytes that one request holds, reference-counted: given back when all users have released it. */
export class Reservation {
  readonly #budget: ByteBudget;
  readonly #owner: Owner;
  #bytes = 0;
  #users = 1;

  constructor(budget: ByteBudget, owner: Owner) {
    this.#budget = budget;
    this.#owner = owner;
  }

  get owner(): string {
    return this.#owner.name;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** True when no work may be started for the owner, even if its bytes are reserved. */
  get isAboveShare(): boolean {
    return this.#budget.isAboveShare(this.#owner);
  }

  /** Reserves more. Throws `overloaded`, and keeps what is held. */
  grow(bytes: number): void {
    this.#budget.take(this.#owner, bytes);
    this.#bytes += bytes;
  }

  shrink(bytes: number): void {
    this.#bytes -= bytes;
    this.#budget.giveBack(this.#owner, bytes);
  }

  /** Corrects an estimate to the real size; never refused. Does nothing once released. */
  resize(bytes: number): void {
    if (this.#users === 0) return;
    const more = bytes - this.#bytes;
    if (more > 0) {
      this.#budget.force(this.#owner, more);
      this.#bytes = bytes;
    } else if (more < 0) this.shrink(-more);
  }

  /** Moves up to that many of its bytes to a reservation of their own, which may outlive this one. */
  split(bytes: number): Reservation {
    const part = new Reservation(this.#budget, this.#owner);
    part.#bytes = Math.min(bytes, this.#bytes);
    this.#bytes -= part.#bytes;
    return part;
  }

  /** A refusal of work that would need more memory; it is counted. */
  refusal(): Problem {
    return this.#budget.refusal();
  }

  /** Adds a user, who must call `release`. */
  retain(): void {
    this.#users++;
  }

  /** Gives everything back with the last user's call; further ones do nothing. */
  release(): void {
    if (this.#users === 0 || --this.#users > 0) return;
    this.shrink(this.#bytes);
  }
}

const overloaded = (): Problem =>
  new Problem(
    'overloaded',
    'Requests, results and unread answers of this caller hold too much memory right now. Nothing was run.',
    { retryAfter: 1 },
  );
