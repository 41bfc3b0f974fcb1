import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { after, pause } from '../clock/timers.js';
import { Problem } from '../errors.js';
import { background, liveMs, messageMs, patienceMs, rests, slowMs, spareMs, tickMs } from './constants.js';
import { FairQueue, type TakeRules } from './fairQueue.js';
import { Owners, type Owner } from './owners.js';

/** How a kind of bulk work gives way to the single executions of other workspaces. */
interface BulkKind {
  /** Milliseconds after an execution for which the next one is expected. */
  readonly liveMs: number;
  /** The rest after a piece, as a multiple of the time that it took. */
  readonly restFactor: number;
  /** A piece that has waited for so long begins without a slot; null where it is refused after POOL_MAX_WAIT_MS. */
  readonly maxWaitMs: number | null;
}
/** A new body, with which nothing was done yet. Together with `partOfRequest` it gets a ninth of one processor. */
export const newBody = { liveMs, restFactor: rests.bulk, maxWaitMs: null } as const satisfies BulkKind;
/** Part of a request that has begun, whose memory is held meanwhile: a record, an answer, a piece of an import. */
export const partOfRequest = { ...newBody, maxWaitMs: patienceMs.begun } as const satisfies BulkKind;
/** A chunk of a batch, which is short and one of many: a third of the machine. */
export const chunkOfBatch = {
  liveMs: 2 * tickMs,
  restFactor: rests.chunk,
  maxWaitMs: patienceMs.batch,
} as const satisfies BulkKind;

/** After so many milliseconds a piece loses its slot, and no more counts for the rest after it: it waits for something. */
export const maxPieceMs = slowMs / 2;
/** How often waiting pieces are looked at, in milliseconds. */
const lookMs = 5 * messageMs;

interface LiveWork {
  readonly workspaceId: string;
  at: number;
}

interface Piece {
  readonly owner: Owner;
  readonly kind: BulkKind;
  /** When it is refused, or begins without the slot, if it still waits then. */
  readonly until: number;
  beganAt: number;
  begin: () => void;
  refuse: (refusal: Problem) => void;
}

/** Does a further piece of a workspace's work that has begun: the piece may wait, and is never refused. */
export type YieldToLive = <T>(piece: () => Promise<T>) => Promise<T>;

interface SchedulerOptions {
  /** How long a piece that may be refused waits at most, in milliseconds. */
  readonly maxWaitMs: number;
  /** Knows the tenants of workspaces. */
  readonly owners?: Owners;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/**
 * Has bulk work give way to live work: single executions, whose callers wait for each. Pieces of bulk work take milliseconds
 * of the main thread, of MySQL or of threads. While other workspaces have live work, one piece at a time has the slot; the
 * next one is of the workspace that has used the slot for the least time, after a rest. Otherwise nothing waits.
 */
export class Scheduler {
  readonly #maxWaitMs: number;
  readonly #owners: Owners;
  readonly #now: () => number;
  readonly #queue = new FairQueue<Piece>(spareMs);
  /** Pieces that have the slot beside live work. One that takes too long loses the slot, and goes on. */
  readonly #begun = new Set<Piece>();
  /** The workspace that had live work last, and another that had some before it: at least one of the two is not the asker's. */
  #newest: LiveWork = { workspaceId: '', at: -Infinity };
  #other: LiveWork = this.#newest;
  #restUntil = -Infinity;
  #looksSoon = false;
  /** The event loop's use until now, and which part of the time background work may have by it. */
  #reading: EventLoopUtilization = performance.eventLoopUtilization();
  #share: number = background.ofIdle;
  /** When the rests after all background pieces so far end. Rests of several workspaces follow each other. */
  #restedAt = -Infinity;

  constructor({ maxWaitMs, owners = new Owners(), now = () => performance.now() }: SchedulerOptions) {
    this.#maxWaitMs = maxWaitMs;
    this.#owners = owners;
    this.#now = now;
  }

  /** To be called when a single execution comes, and when it is answered. */
  noteLive(workspaceId: string): void {
    if (this.#newest.workspaceId !== workspaceId) {
      this.#other = this.#newest;
      this.#newest = { workspaceId, at: 0 };
    }
    this.#newest.at = this.#now();
  }

  /** Does a piece of bulk work once it is next. Of a kind that may be refused it rejects with `overloaded`, with nothing done. */
  async yieldToLive<T>(workspaceId: string, work: () => T | Promise<T>, kind: BulkKind = partOfRequest): Promise<T> {
    if (!this.#isLiveBeside(workspaceId, kind)) return work();
    this.look();
    const until = this.#now() + (kind.maxWaitMs ?? this.#maxWaitMs);
    const owner = this.#owners.of(workspaceId);
    const piece: Piece = { owner, kind, until, beganAt: 0, begin: nobodyWaits, refuse: nobodyWaits };
    if (this.#queue.size === 0 && this.#isFree()) this.#begin(piece);
    else await this.#wait(piece);
    try {
      return await work();
    } finally {
      this.#end(piece);
      this.look();
    }
  }

  /**
   * Resolves when the next piece of background work may begin on the main thread and in MySQL: it has half of the time that
   * others leave, and little of it where they leave none. It catches up afterwards.
   * @param tookMs of the piece before
   * @param longestMs of the rest
   * @param ending once it is aborted nothing rests
   */
  async rest(
    tookMs: number,
    { longestMs, ending }: { readonly longestMs: number; readonly ending: AbortSignal },
  ): Promise<void> {
    const { ofIdle, spare, least } = background;
    const since = performance.eventLoopUtilization(this.#reading);
    if (since.idle + since.active >= liveMs / 2) {
      this.#reading = performance.eventLoopUtilization();
      this.#share = Math.max(least, ofIdle * (1 - since.utilization - spare));
    }
    const now = this.#now();
    this.#restedAt = Math.max(this.#restedAt, now) + Math.min(longestMs, tookMs * (1 / this.#share - 1));
    await pause(this.#restedAt - now, ending);
  }

  /** Begins what may begin, and refuses what has waited for too long. Called every few milliseconds while something waits. */
  look(): void {
    const now = this.#now();
    for (const piece of this.#begun) if (now - piece.beganAt >= maxPieceMs) this.#end(piece);
    for (let [next] = this.#queue.take(this.#rules); next !== undefined; [next] = this.#queue.take(this.#rules)) {
      this.#begin(next);
    }
    for (const late of this.#queue.extract(({ until }) => until <= now)) {
      if (mayBeRefused(late)) late.refuse(refusal());
      else this.#begin(late);
    }
    this.#lookSoon(now);
  }

  readonly #rules: TakeRules<Piece> = {
    most: () => 1,
    alone: () => true,
    may: ({ owner: { workspaceId }, kind }) => this.#isFree() || !this.#isLiveBeside(workspaceId, kind),
  };

  #isLiveBeside(workspaceId: string, { liveMs }: BulkKind): boolean {
    const { at } = this.#newest.workspaceId === workspaceId ? this.#other : this.#newest;
    return this.#now() - at < liveMs;
  }

  #isFree(): boolean {
    return this.#begun.size === 0 && this.#now() >= this.#restUntil;
  }

  #wait(piece: Piece): Promise<void> {
    return new Promise((begin, refuse) => {
      piece.begin = begin;
      piece.refuse = refuse;
      // Pieces of requests that have begun go before those that may be refused, so that their memory is given back sooner.
      this.#queue.push(piece.owner, piece, mayBeRefused(piece) ? undefined : mayBeRefused);
      this.#lookSoon(this.#now());
    });
  }

  #begin(piece: Piece): void {
    piece.beganAt = this.#now();
    this.#begun.add(piece);
    piece.begin();
  }

  /** Frees the slot. The rest after the piece counts as used by its workspace, too. */
  #end(piece: Piece): void {
    if (!this.#begun.delete(piece)) return;
    const now = this.#now();
    const tookMs = Math.min(maxPieceMs, now - piece.beganAt);
    const restMs = piece.kind.restFactor * tookMs;
    this.#restUntil = Math.max(this.#restUntil, now + restMs);
    this.#queue.charge(piece.owner, tookMs + restMs);
  }

  #lookSoon(now: number): void {
    if (this.#queue.size === 0 || this.#looksSoon) return;
    const restMs = this.#begun.size === 0 ? this.#restUntil - now : lookMs;
    const look = (): void => {
      this.#looksSoon = false;
      this.look();
    };
    this.#looksSoon = true;
    after(Math.max(1, Math.min(lookMs, restMs)), look);
  }
}

const nobodyWaits = (): void => undefined;
const mayBeRefused = ({ kind }: Piece): boolean => kind.maxWaitMs === null;

const refusal = (): Problem =>
  new Problem(
    'overloaded',
    'Large requests give way while others are served, and this one found no time. Nothing was run.',
    { retryAfter: 1 },
  );
