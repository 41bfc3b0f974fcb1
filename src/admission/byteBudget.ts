import { Problem } from '../errors.js';

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
  /** Its reservations that are not released. */
  open: number;
}

/** The budget's status: bytes, and the number of refusals since the start. */
export interface BytesStatus {
  readonly bytesInFlight: number;
  readonly maxBytesInFlight: number;
  readonly bytesRefused: number;
  /** Bytes that are still held long after the end of the request that they were reserved for: somebody forgot to release them. */
  readonly bytesHeldAfterEnd: number;
}

/**
 * For so long after the end of its request, in milliseconds, a reservation may be held: by a run that has begun and is recorded
 * still, or an evaluation whose record waits.
 */
const heldAfterEndMs = 300_000;

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
  /** The reservations that may outlive a request: parts of a request's reservation, and those whose request has ended. */
  readonly #outliving = new Set<Reservation>();

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
    const reservation = new Reservation(this, this.#ownerOf(owner));
    try {
      reservation.grow(bytes);
    } catch (error) {
      reservation.release();
      throw error;
    }
    return reservation;
  }

  /** @param now as `performance.now` has it */
  status(now = performance.now()): BytesStatus {
    let bytesHeldAfterEnd = 0;
    for (const { bytes, endedAt } of this.#outliving) if (now - endedAt > heldAfterEndMs) bytesHeldAfterEnd += bytes;
    return {
      bytesInFlight: Math.round(this.#held),
      maxBytesInFlight: this.#capacity,
      bytesRefused: this.#refusals,
      bytesHeldAfterEnd,
    };
  }

  /** Counts a reservation as one that may outlive its request, until it is released. */
  watch(reservation: Reservation): void {
    this.#outliving.add(reservation);
  }

  /** A reservation was released. */
  closed(reservation: Reservation, owner: Owner): void {
    this.#outliving.delete(reservation);
    owner.open--;
    if (owner.open === 0) this.#owners.delete(owner.name);
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

  #ownerOf(name: string): Owner {
    const known = this.#owners.get(name);
    if (known !== undefined) return known;
    const owner = { name, guaranteed: 0, shared: 0, open: 0 };
    this.#owners.set(name, owner);
    return owner;
  }
}

/** Most bytes that V8 keeps a text in: two for each character where one is beyond Latin-1. */
export const textBytes = ({ length }: Pick<string, 'length'>): number => 2 * length;

/**
 * The bytes that one request holds, reference-counted: given back when all users have released it. Once released it holds nothing
 * any more: what would make it hold something again throws, since nobody would release that.
 */
export class Reservation {
  readonly #budget: ByteBudget;
  readonly #owner: Owner;
  /** The request's reservation that this one is a part of. */
  readonly #whole: Reservation | undefined;
  #bytes = 0;
  #users = 1;
  #endedAt = Infinity;

  constructor(budget: ByteBudget, owner: Owner, whole?: Reservation) {
    this.#budget = budget;
    this.#owner = owner;
    this.#whole = whole;
    owner.open++;
  }

  get owner(): string {
    return this.#owner.name;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** When its request ended, as `performance.now` has it; `Infinity` before. */
  get endedAt(): number {
    return this.#whole === undefined ? this.#endedAt : this.#whole.endedAt;
  }

  /** True when no work may be started for the owner, even if its bytes are reserved. */
  get isAboveShare(): boolean {
    return this.#budget.isAboveShare(this.#owner);
  }

  /** Reserves more. Throws `overloaded`, and keeps what is held. */
  grow(bytes: number): void {
    this.#requireOpen();
    this.#budget.take(this.#owner, bytes);
    this.#bytes += bytes;
  }

  /** Gives some of it back, all at most. */
  shrink(bytes: number): void {
    const given = Math.min(bytes, this.#bytes);
    this.#bytes -= given;
    this.#budget.giveBack(this.#owner, given);
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
    this.#requireOpen();
    const part = new Reservation(this.#budget, this.#owner, this.#whole ?? this);
    part.#bytes = Math.min(bytes, this.#bytes);
    this.#bytes -= part.#bytes;
    this.#budget.watch(part);
    return part;
  }

  /** A refusal of work that would need more memory; it is counted. */
  refusal(): Problem {
    return this.#budget.refusal();
  }

  /** Adds a user, who must call `release`. */
  retain(): void {
    this.#requireOpen();
    this.#users++;
  }

  /** Gives everything back with the last user's call; further ones do nothing. */
  release(): void {
    if (this.#users === 0 || --this.#users > 0) return;
    this.shrink(this.#bytes);
    this.#budget.closed(this, this.#owner);
  }

  /** Tells that its request has ended: who still holds it, or a part of it, is expected to release it soon. */
  end(): void {
    this.#endedAt = performance.now();
    if (this.#users > 0) this.#budget.watch(this);
  }

  #requireOpen(): void {
    if (this.#users === 0) throw new Error('the reservation was released: its request has ended');
  }
}

const overloaded = (): Problem =>
  new Problem(
    'overloaded',
    'Requests, results and unread answers of this caller hold too much memory right now. Nothing was run.',
    { retryAfter: 1 },
  );
