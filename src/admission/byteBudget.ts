import type { Problem } from '../errors.js';
import { Owners, type Owner } from './owners.js';
import { Quota, type Holder } from './quota.js';
import { Recent } from '../../workers/recent/index.js';

/** The account that bytes are charged to. `grow` throws to refuse them. */
export interface ByteAccount {
  /** The id of a workspace, or the name of another caller. */
  readonly owner: string;
  grow(bytes: number): void;
  /** The same once there is room. @param gone whether the caller has left, whom nobody needs to wait for any more */
  growLater(bytes: number, gone: () => boolean): Promise<void>;
  shrink(bytes: number): void;
}

/** The budget's status: bytes, and the number of refusals since the start. */
export interface BytesStatus {
  readonly bytesInFlight: number;
  readonly maxBytesInFlight: number;
  readonly bytesRefused: number;
  /** Bytes that are still held long after the end of their request: some code forgot to release them. */
  readonly bytesHeldAfterEnd: number;
}

/**
 * How many milliseconds after the end of its request a reservation may still be held: by a run that goes on and is recorded after
 * its caller left, or by an evaluation whose record waits.
 */
const heldAfterEndMs = 300_000;

/**
 * The bytes that requests of this process hold, by tenant and workspace, from the first byte of a body to the last one of
 * the answer.
 */
export class ByteBudget {
  /** Knows the tenants of workspaces. */
  readonly owners: Owners;
  readonly #quota: Quota;
  /** The reservations that may outlive a request: parts of a request's reservation, and those whose request has ended. */
  readonly #outliving = new Set<Reservation>();

  /** @param maxWaitMs how long the caller of a request waits for room */
  constructor(capacity: number, owners = new Owners(), maxWaitMs = 0) {
    this.owners = owners;
    this.#quota = new Quota(capacity, maxWaitMs);
  }

  /**
   * Opens the account of one request with its first bytes. Throws `overloaded`.
   * @param owner a workspace's id, or the name of a caller that is of no tenant
   */
  reserve(owner: string | Owner, bytes: number): Reservation {
    const reservation = this.#open(owner);
    try {
      reservation.grow(bytes);
    } catch (error) {
      reservation.release();
      throw error;
    }
    return reservation;
  }

  /** The same once there is room. Rejects with `overloaded` after `endWaits`. */
  async reserveLater(owner: string | Owner, bytes: number): Promise<Reservation> {
    const reservation = this.#open(owner);
    try {
      await reservation.growLater(bytes);
    } catch (error) {
      reservation.release();
      throw error;
    }
    return reservation;
  }

  /** Nobody waits for room any more: the server stops. */
  endWaits(): void {
    this.#quota.endWaits();
  }

  #open(owner: string | Owner): Reservation {
    const holder = this.#quota.holderOf(typeof owner === 'string' ? this.owners.of(owner) : owner);
    return new Reservation(this.#quota, this.#outliving, holder);
  }

  /** @param now as `performance.now` has it */
  status(now = performance.now()): BytesStatus {
    let bytesHeldAfterEnd = 0;
    for (const { bytes, endedAt } of this.#outliving) if (now - endedAt > heldAfterEndMs) bytesHeldAfterEnd += bytes;
    return {
      bytesInFlight: Math.round(this.#quota.held),
      maxBytesInFlight: this.#quota.capacity,
      bytesRefused: this.#quota.refusals,
      bytesHeldAfterEnd,
    };
  }
}

/** Most bytes that V8 keeps a text in: two for each character where one is beyond Latin-1. */
export const textBytes = ({ length }: Pick<string, 'length'>): number => 2 * length;

/**
 * The bytes that one request holds, reference-counted: given back when all users have released it. Once released it holds nothing
 * any more: what would make it hold something again throws, since nobody would release that.
 */
export class Reservation {
  readonly #quota: Quota;
  readonly #outliving: Set<Reservation>;
  readonly #holder: Holder;
  /** The request's reservation that this one is a part of. */
  readonly #whole: Reservation | undefined;
  #bytes = 0;
  #users = 1;
  #endedAt = Infinity;

  /** @param outliving gets it once it may outlive its request, until it is released */
  constructor(quota: Quota, outliving: Set<Reservation>, holder: Holder, whole?: Reservation) {
    this.#quota = quota;
    this.#outliving = outliving;
    this.#holder = holder;
    quota.open(holder);
    this.#whole = whole;
  }

  get owner(): string {
    return this.#holder.name;
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
    return this.#quota.isAboveShare(this.#holder);
  }

  /** Reserves more. Throws `overloaded`, and keeps what is held. */
  grow(bytes: number): void {
    this.#requireOpen();
    this.#quota.take(this.#holder, bytes);
    this.#bytes += bytes;
  }

  /**
   * Reserves more once there is room. Rejects with `overloaded`, and keeps what is held, where the server stops before.
   * @param gone whether the caller of the request has left; a request is refused after the longest wait, too
   */
  growLater(bytes: number, gone?: () => boolean): Promise<void> {
    this.#requireOpen();
    return this.#quota.takeLater(this.#holder, bytes, gone).then(() => {
      this.#bytes += bytes;
      if (this.#users === 0) this.shrink(bytes);
    });
  }

  /** Gives some of it back, all at most. */
  shrink(bytes: number): void {
    const given = Math.min(bytes, this.#bytes);
    this.#bytes -= given;
    this.#quota.giveBack(this.#holder, given);
  }

  /** Corrects an estimate to the real size; never refused. Does nothing once released. */
  resize(bytes: number): void {
    if (this.#users === 0) return;
    const more = bytes - this.#bytes;
    if (more > 0) {
      this.#quota.force(this.#holder, more);
      this.#bytes = bytes;
    } else if (more < 0) this.shrink(-more);
  }

  /** Moves up to that many of its bytes to a reservation of their own, which may outlive this one. */
  split(bytes: number): Reservation {
    this.#requireOpen();
    const part = new Reservation(this.#quota, this.#outliving, this.#holder, this.#whole ?? this);
    part.#bytes = Math.min(bytes, this.#bytes);
    this.#bytes -= part.#bytes;
    this.#outliving.add(part);
    return part;
  }

  /** A refusal of work that would need more memory; it is counted. */
  refusal(): Problem {
    return this.#quota.refusal();
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
    this.#outliving.delete(this);
    this.#quota.close(this.#holder);
  }

  /** Notes that its request has ended. Whoever still holds it, or a part of it, is expected to release it soon. */
  end(): void {
    this.#endedAt = performance.now();
    if (this.#users > 0) this.#outliving.add(this);
  }

  #requireOpen(): void {
    if (this.#users === 0) throw new Error('the reservation was released: its request has ended');
  }
}

/** Most sizes that are remembered; evicted ones are learnt again. */
const maxSizes = 10_000;
/** Bytes of what was never seen before. */
const firstBytes = 16 * 1024;
/** Weight of a smaller size in the moving average; a larger one counts fully at once. */
const smallerWeight = 1 / 8;

/**
 * Recent sizes of answers. That much is reserved before the work, because once an answer's size is known it is too late to
 * refuse it.
 */
export class ExpectedBytes {
  readonly #recent = new Recent<number>({ maxCount: maxSizes });
  readonly #maxBytes: number;

  /** @param maxBytes no more is ever expected, so that a caller with large answers is not refused for ever */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @param leastBytes no less is expected, unless the maximum is below it */
  of(key: string, leastBytes = 0): number {
    return Math.min(Math.max(this.#recent.get(key) ?? firstBytes, leastBytes), this.#maxBytes);
  }

  learn(key: string, bytes: number): void {
    const recent = this.#recent.get(key) ?? 0;
    this.#recent.set(key, Math.max(bytes, recent + (bytes - recent) * smallerWeight));
  }
}
