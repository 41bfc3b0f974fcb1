import { Problem } from '../errors.js';
import { FairQueue } from './fairQueue.js';
import type { LiveWork } from './liveWork.js';

/** Others' single executions within so many milliseconds mean that more are likely. */
const liveMs = 1000;
/** Beside them, how many times as long as a piece took nothing is begun after it. */
const restFactor = 8;
/** A piece that takes longer, in milliseconds, has had its turn: it waits for something, or runs at low priority. */
const longestMs = 100;
/** How often those that wait are looked at, in milliseconds. */
const lookMs = 25;

interface Waiting {
  readonly workspaceId: string;
  readonly gone: () => boolean;
  readonly begin: () => void;
  readonly refuse: (refusal: Problem) => void;
}

export interface LargeWorkOptions {
  readonly live: Pick<LiveWork, 'besides'>;
  /** How long a piece waits at most, in milliseconds. */
  readonly maxWaitMs: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

export interface PieceOptions {
  /** Its request had a turn already, and goes before others of its workspace. */
  readonly first?: boolean;
  /** It waits for as long as it takes, since it is one of many of its request. */
  readonly patient?: boolean;
  /** True once nobody waits for it any more; then it does not begin. */
  readonly gone?: () => boolean;
}

/**
 * Work of which one piece takes milliseconds of the main thread, of a worker thread and of MySQL: large bodies, runs with large
 * facts or results, parts of an import. While other workspaces have single executions there is one piece at a time, workspaces
 * in turn, and a rest after it, so that others have the machine for themselves most of the time. Without them nothing waits.
 */
export class LargeWork {
  readonly #live: LargeWorkOptions['live'];
  readonly #maxWaitMs: number;
  readonly #now: () => number;
  readonly #queue = new FairQueue<Waiting>();
  #underWay = 0;
  #restUntil = -Infinity;
  #look: NodeJS.Timeout | undefined;

  constructor({ live, maxWaitMs, now = () => performance.now() }: LargeWorkOptions) {
    this.#live = live;
    this.#maxWaitMs = maxWaitMs;
    this.#now = now;
  }

  /** Pieces that wait. */
  get waiting(): number {
    return this.#queue.size;
  }

  /** Does the piece when its turn has come. Rejects with `overloaded`, with nothing done, where that takes too long. */
  async during<T>(workspaceId: string, piece: () => T | Promise<T>, options: PieceOptions = {}): Promise<T> {
    if (this.#queue.size === 0 && this.#mayBegin(workspaceId)) this.#underWay++;
    else await this.#turn(workspaceId, options);
    const began = this.#now();
    let over = false;
    const end = (): void => {
      if (over) return;
      over = true;
      this.#underWay--;
      const now = this.#now();
      this.#restUntil = Math.max(this.#restUntil, now + restFactor * (now - began));
      this.#begin();
    };
    const longest = setTimeout(end, longestMs).unref();
    try {
      return await piece();
    } finally {
      clearTimeout(longest);
      end();
    }
  }

  #mayBegin(workspaceId: string): boolean {
    if (!this.#live.besides(workspaceId, liveMs)) return true;
    return this.#underWay === 0 && this.#now() >= this.#restUntil;
  }

  #turn(workspaceId: string, { first = false, patient = false, gone = never }: PieceOptions): Promise<void> {
    return new Promise((begin, refuse) => {
      const since = patient ? Infinity : this.#now();
      this.#queue.push(workspaceId, { workspaceId, gone, begin, refuse }, since, 0, first);
      this.#lookSoon();
    });
  }

  /** Begins what may begin, refuses what has waited for too long. */
  #begin(): void {
    for (const { refuse } of this.#queue.extract(({ gone }) => gone())) refuse(refusal('The caller went away.'));
    for (const { refuse } of this.#queue.expire(this.#now() - this.#maxWaitMs)) {
      refuse(refusal('Large requests take turns while others are served, and this one had none in time.'));
    }
    for (;;) {
      const [waiting] = this.#queue.take(turn(({ workspaceId }) => this.#mayBegin(workspaceId)));
      if (waiting === undefined) break;
      this.#underWay++;
      waiting.begin();
    }
    this.#lookSoon();
  }

  #lookSoon(): void {
    if (this.#queue.size === 0 || this.#look !== undefined) return;
    const rest = this.#restUntil - this.#now();
    this.#look = setTimeout(() => {
      this.#look = undefined;
      this.#begin();
    }, Math.max(1, Math.min(rest, lookMs)));
  }
}

const never = (): boolean => false;
const turn = (may: (waiting: Waiting) => boolean) => ({ perTurn: () => 1, alone: () => true, may });

const refusal = (reason: string): Problem => new Problem('overloaded', `${reason} Nothing was run.`, { retryAfter: 1 });
