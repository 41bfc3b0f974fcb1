import { Problem } from '../errors.js';
import type { Measures, Refusal } from './measures.js';
import { FairQueue } from './queue.js';
import type { Thread } from './thread.js';

/** A run that waits for a thread. */
interface Waiter {
  readonly gone: () => boolean;
  readonly resolve: (thread: Thread) => void;
  readonly reject: (refusal: Problem) => void;
}

export interface AdmissionLimits {
  /** Runs that may wait, of all workspaces. */
  maxQueue: number;
  readonly maxQueuePerWorkspace: number;
  /** Longest wait, expected or real. */
  readonly maxWaitMs: number;
}

/** Who may wait for a thread, and who is next. Every refusal means that nothing was run. */
export class Admission {
  readonly limits: AdmissionLimits;
  readonly #measures: Measures;
  readonly #queue = new FairQueue<Waiter>();
  /** Runs that had their turn already, and could not use it: they go first. */
  readonly #returning = new FairQueue<Waiter>();
  /** Runs that will return; they hold a place as if they waited, or a slow database would let in any number. */
  #away = 0;
  #swept = false;

  constructor(limits: AdmissionLimits, measures: Measures) {
    this.limits = limits;
    this.#measures = measures;
  }

  get waiting(): number {
    return this.#queue.size + this.#returning.size + this.#away;
  }

  /** Waits that a free thread would end at once. */
  get ready(): number {
    return this.#queue.size + this.#returning.size;
  }

  /**
   * Throws `overloaded` when there is no place for one more run of that workspace.
   * @param idle threads that have nothing to do; with one of them the run will not wait
   */
  check(workspaceId: string, { idle, threads }: { readonly idle: number; readonly threads: number }): void {
    const { maxQueue, maxQueuePerWorkspace, maxWaitMs } = this.limits;
    if (this.waiting >= maxQueue + idle) {
      this.#sweep();
      if (this.waiting >= maxQueue + idle) {
        throw this.#refusal('queue_full', 'Too many runs are waiting.', this.#expectedMs(this.waiting, threads));
      }
    }
    if (idle > 0) return;
    const expectedMs = this.#expectedMs(this.#returning.size + this.#queue.ahead(workspaceId), threads);
    if (this.#queue.sizeOf(workspaceId) >= maxQueuePerWorkspace) {
      throw this.#refusal('workspace_full', 'Too many runs of this workspace are waiting.', expectedMs);
    }
    if (expectedMs > maxWaitMs) throw this.#refusal('expected_wait', 'The expected wait is too long.', expectedMs);
  }

  /** Resolves with a thread when it is this run's turn; rejects with `overloaded` when that takes too long. */
  wait(workspaceId: string, gone: () => boolean): Promise<Thread> {
    return new Promise((resolve, reject) => {
      this.#queue.push(workspaceId, { gone, resolve, reject }, performance.now());
    });
  }

  leave(): void {
    this.#away++;
  }

  comeBack(): void {
    this.#away--;
  }

  /** As `wait`, before all that `wait`. */
  waitFirst(gone: () => boolean): Promise<Thread> {
    return new Promise((resolve, reject) => {
      this.#returning.push('', { gone, resolve, reject }, performance.now());
    });
  }

  /** Gives the thread to the next run; false when none waits. Those whose caller went away are passed over. */
  offer(thread: Thread): boolean {
    for (;;) {
      const next = this.#returning.shift() ?? this.#queue.shift();
      if (next === undefined) return false;
      if (!next.gone()) {
        next.resolve(thread);
        return true;
      }
      next.reject(this.gone());
    }
  }

  /** Refuses those that have waited too long. To be called every few milliseconds while anything waits. */
  expire(now: number): void {
    this.#swept = false;
    for (const queue of [this.#returning, this.#queue]) {
      for (const waiter of queue.expire(now - this.limits.maxWaitMs)) {
        waiter.reject(this.#refusal('waited', 'No thread came free in time.', this.#measures.meanServiceMs));
      }
    }
  }

  /** Refuses all that still wait, for the server stops. */
  close(): void {
    for (const queue of [this.#returning, this.#queue]) {
      for (const waiter of queue.extract(() => true)) waiter.reject(this.draining());
    }
  }

  gone(): Problem {
    return this.#refusal('gone', 'The caller went away before the run began.', 0);
  }

  draining(): Problem {
    return this.#refusal('draining', 'The server is stopping.', 0);
  }

  /** Callers that went away keep nobody out; looked for at most once between two calls of `expire`. */
  #sweep(): void {
    if (this.#swept) return;
    this.#swept = true;
    for (const waiter of this.#queue.extract(({ gone }) => gone())) waiter.reject(this.gone());
  }

  #expectedMs(ahead: number, threads: number): number {
    return (ahead * this.#measures.meanServiceMs) / Math.max(1, threads);
  }

  #refusal(why: Refusal, detail: string, expectedMs: number): Problem {
    this.#measures.refused(why);
    return new Problem('overloaded', `${detail} Nothing was run.`, {
      retryAfter: Math.min(60, Math.max(1, Math.ceil(expectedMs / 1000))),
    });
  }
}
