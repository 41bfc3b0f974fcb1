import { Problem } from '../errors.js';
import type { LiveWork } from './liveWork.js';

/** Others' single executions within so many milliseconds mean that more are likely. */
const liveMs = 1000;
/** Beside them, how many times as long as a piece took nothing is begun after it. */
const restFactor = 8;
/** A piece that takes longer, in milliseconds, has had its turn: it waits for something. */
const longestMs = 100;
/** How often those that wait are looked at, in milliseconds. */
const lookMs = 25;

interface Waiting {
  /** When it is refused, by the clock. */
  readonly until: number;
  readonly begin: () => void;
  readonly refuse: (refusal: Problem) => void;
}

/** The pieces of one workspace that wait, in their order. */
interface Line {
  readonly waiting: Waiting[];
  /** Milliseconds that its pieces took; who comes anew begins with as much as who has least. */
  tookMs: number;
}

/** Has pieces done in their turns. */
export type TakesTurns = Pick<LargeWork, 'during'>;

export interface LargeWorkOptions {
  readonly live: Pick<LiveWork, 'besides'>;
  /** How long a piece waits at most, in milliseconds. */
  readonly maxWaitMs: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/**
 * Work of which each piece takes milliseconds of the main thread, of MySQL or of a thread: large bodies, records and answers,
 * parts of imports. While other workspaces have single executions one piece is done at a time, that workspace's next which had
 * least, and then there is a rest, so that the others have the machine for themselves most of the time. Without them nothing
 * waits.
 */
export class LargeWork {
  readonly #live: LargeWorkOptions['live'];
  readonly #maxWaitMs: number;
  readonly #now: () => number;
  /** By workspace; none is empty. */
  readonly #lines = new Map<string, Line>();
  #underWay = 0;
  #restUntil = -Infinity;
  #look: NodeJS.Timeout | undefined;

  constructor({ live, maxWaitMs, now = () => performance.now() }: LargeWorkOptions) {
    this.#live = live;
    this.#maxWaitMs = maxWaitMs;
    this.#now = now;
  }

  /**
   * Does a piece when its turn has come. Rejects with `overloaded`, with nothing done, where that takes too long.
   * @param patient it waits for as long as it takes: what it belongs to has begun
   */
  async during<T>(
    workspaceId: string,
    piece: () => T | Promise<T>,
    { patient = false }: { readonly patient?: boolean } = {},
  ): Promise<T> {
    if (this.#lines.size === 0 && this.#mayBegin(workspaceId)) this.#underWay++;
    else await this.#turn(workspaceId, patient);
    const began = this.#now();
    let over = false;
    const end = (): void => {
      if (over) return;
      over = true;
      this.#end(workspaceId, this.#now() - began);
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

  #turn(workspaceId: string, patient: boolean): Promise<void> {
    return new Promise((begin, refuse) => {
      const until = patient ? Infinity : this.#now() + this.#maxWaitMs;
      let line = this.#lines.get(workspaceId);
      if (line === undefined) {
        line = { waiting: [], tookMs: this.#least };
        this.#lines.set(workspaceId, line);
      }
      // What has begun goes before what may still be refused, so that it is not held in memory for long.
      const at = patient ? line.waiting.findIndex((each) => each.until < Infinity) : -1;
      line.waiting.splice(at === -1 ? line.waiting.length : at, 0, { until, begin, refuse });
      this.#lookSoon();
    });
  }

  get #least(): number {
    return Math.min(...Array.from(this.#lines.values(), ({ tookMs }) => tookMs), this.#lines.size === 0 ? 0 : Infinity);
  }

  #end(workspaceId: string, tookMs: number): void {
    this.#underWay--;
    this.#restUntil = Math.max(this.#restUntil, this.#now() + restFactor * tookMs);
    const line = this.#lines.get(workspaceId);
    if (line !== undefined) line.tookMs += tookMs;
    this.#go();
  }

  /** Begins what may begin, and refuses what has waited for too long. */
  #go(): void {
    const now = this.#now();
    const byLeast = [...this.#lines].sort(([, a], [, b]) => a.tookMs - b.tookMs);
    for (const [workspaceId, line] of byLeast) {
      const { waiting } = line;
      while (waiting.length > 0 && this.#mayBegin(workspaceId)) {
        this.#underWay++;
        waiting.shift()?.begin();
      }
      for (const late of waiting.filter(({ until }) => until <= now)) {
        waiting.splice(waiting.indexOf(late), 1);
        late.refuse(refusal());
      }
      if (waiting.length === 0) this.#lines.delete(workspaceId);
    }
    this.#lookSoon();
  }

  #lookSoon(): void {
    if (this.#lines.size === 0 || this.#look !== undefined) return;
    const restMs = this.#restUntil - this.#now();
    this.#look = setTimeout(
      () => {
        this.#look = undefined;
        this.#go();
      },
      Math.max(1, Math.min(restMs, lookMs)),
    );
  }
}

const refusal = (): Problem =>
  new Problem(
    'overloaded',
    'Large requests take turns while others are served, and this one had none in time. Nothing was run.',
    { retryAfter: 1 },
  );
