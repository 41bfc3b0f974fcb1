import { Problem } from '../errors.js';
import type { LiveWork } from './liveWork.js';

/** Others' single executions within so many milliseconds mean that more are likely. */
const liveMs = 1000;
/** Beside them, how many times as long as a piece took nothing is begun after it. */
const restFactor = 8;
/** A piece that takes longer, in milliseconds, has had its turn: it waits for something. */
const longestMs = 100;
/** What belongs to a request that has begun waits for its turn for so many milliseconds at most, and then begins without one. */
export const patientMs = 5000;
/** How often those that wait are looked at, in milliseconds. */
const lookMs = 5;

interface Waiting {
  /** Until when it waits, by the clock. */
  readonly until: number;
  readonly patient: boolean;
  readonly begin: (turn: Turn) => void;
  readonly refuse: (refusal: Problem) => void;
}

/** A piece under way. */
interface Turn {
  readonly workspaceId: string;
  readonly began: number;
}

/** The pieces of one workspace that wait, in their order. */
interface Line {
  waiting: Waiting[];
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
  readonly #underWay = new Set<Turn>();
  #restUntil = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor({ live, maxWaitMs, now = () => performance.now() }: LargeWorkOptions) {
    this.#live = live;
    this.#maxWaitMs = maxWaitMs;
    this.#now = now;
  }

  /**
   * Does a piece when its turn has come. Rejects with `overloaded`, with nothing done, where that takes too long.
   * @param patient what it belongs to has begun: it is never refused, and begins without a turn in the end
   */
  async during<T>(
    workspaceId: string,
    piece: () => T | Promise<T>,
    { patient = false }: { readonly patient?: boolean } = {},
  ): Promise<T> {
    this.look();
    const isNext = this.#lines.size === 0 && this.#mayBegin(workspaceId);
    const turn = isNext ? this.#begin(workspaceId) : await this.#turnOf(workspaceId, patient);
    try {
      return await piece();
    } finally {
      this.#end(turn);
      this.look();
    }
  }

  /** Begins what may begin, and refuses what has waited for too long. Called every few milliseconds while something waits. */
  look(): void {
    const now = this.#now();
    for (const turn of this.#underWay) if (now - turn.began >= longestMs) this.#end(turn);
    const byLeast = [...this.#lines].sort(([, a], [, b]) => a.tookMs - b.tookMs);
    for (const [workspaceId, line] of byLeast) {
      while (line.waiting.length > 0 && this.#mayBegin(workspaceId)) {
        line.waiting.shift()?.begin(this.#begin(workspaceId));
      }
      const late = line.waiting.filter(({ until }) => until <= now);
      line.waiting = line.waiting.filter(({ until }) => until > now);
      for (const { patient, begin, refuse } of late) {
        if (patient) begin(this.#begin(workspaceId));
        else refuse(refusal());
      }
      if (line.waiting.length === 0) this.#lines.delete(workspaceId);
    }
    this.#lookSoon();
  }

  #mayBegin(workspaceId: string): boolean {
    if (!this.#live.besides(workspaceId, liveMs)) return true;
    return this.#underWay.size === 0 && this.#now() >= this.#restUntil;
  }

  #begin(workspaceId: string): Turn {
    const turn = { workspaceId, began: this.#now() };
    this.#underWay.add(turn);
    return turn;
  }

  #turnOf(workspaceId: string, patient: boolean): Promise<Turn> {
    return new Promise((begin, refuse) => {
      const until = this.#now() + (patient ? patientMs : this.#maxWaitMs);
      let line = this.#lines.get(workspaceId);
      if (line === undefined) {
        line = { waiting: [], tookMs: this.#least };
        this.#lines.set(workspaceId, line);
      }
      // What has begun goes before what may still be refused, so that it is not held in memory for long.
      const at = patient ? line.waiting.findIndex((each) => !each.patient) : -1;
      line.waiting.splice(at === -1 ? line.waiting.length : at, 0, { until, patient, begin, refuse });
      this.#lookSoon();
    });
  }

  get #least(): number {
    return Math.min(...Array.from(this.#lines.values(), ({ tookMs }) => tookMs), this.#lines.size === 0 ? 0 : Infinity);
  }

  #end(turn: Turn): void {
    if (!this.#underWay.delete(turn)) return;
    const now = this.#now();
    const tookMs = Math.min(longestMs, now - turn.began);
    this.#restUntil = Math.max(this.#restUntil, now + restFactor * tookMs);
    const line = this.#lines.get(turn.workspaceId);
    if (line !== undefined) line.tookMs += tookMs;
  }

  #lookSoon(): void {
    if (this.#lines.size === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.look();
    }, lookMs);
  }
}

const refusal = (): Problem =>
  new Problem(
    'overloaded',
    'Large requests take turns while others are served, and this one had none in time. Nothing was run.',
    { retryAfter: 1 },
  );
