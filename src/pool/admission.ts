import { Problem } from '../errors.js';
import type { HeavyWorkspaces } from './heavy.js';
import type { Measures, Refusal } from './measures.js';
import { FairQueue } from './queue.js';
import type { WaitingRun } from './waiting.js';

/** Runs that one workspace has in a turn at most. */
const maxBatch = 16;
/** Programs known to run alone, at most. */
const maxAlone = 1000;
/** What the runs of a batch may take together, by what runs take of late. */
const batchMs = 1;
/**
 * For less work than that, another thread is not worth it. The way to a thread and back is 0.05, but waking one also
 * costs whoever has its core: measured on 2 cores, a tenth less processor time and 6 % more executions than with 0.05.
 */
const worthMs = 0.5;

interface Circumstances {
  readonly measures: Measures;
  readonly heavy: HeavyWorkspaces;
  /** Milliseconds of the pool's clock. */
  readonly now: () => number;
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
  readonly #heavy: HeavyWorkspaces;
  readonly #now: () => number;
  readonly #queue = new FairQueue<WaitingRun>();
  /** Runs that had their turn already, and could not use it: they go first. */
  readonly #returning = new FairQueue<WaitingRun>();
  /** Runs that will return; they hold a place as if they waited, or a slow database would let in any number. */
  #away = 0;
  readonly #alone = new Set<string>();
  #swept = false;
  #closed = false;

  constructor(limits: AdmissionLimits, { measures, heavy, now }: Circumstances) {
    this.limits = limits;
    this.#measures = measures;
    this.#heavy = heavy;
    this.#now = now;
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
    // What came in this turn of the event loop is still on its way to the idle threads.
    if (idle > this.waiting - this.#passedOverFor(workspaceId)) return;
    const { maxQueue, maxQueuePerWorkspace, maxWaitMs } = this.limits;
    const expectedMs = this.#expectedMs(workspaceId, threads);
    if (this.waiting >= maxQueue + idle) {
      this.#sweep();
      if (this.waiting >= maxQueue + idle) throw this.#refusal('queue_full', 'Too many runs are waiting.', expectedMs);
    }
    if (this.#queue.sizeOf(workspaceId) >= maxQueuePerWorkspace) {
      throw this.#refusal('workspace_full', 'Too many runs of this workspace are waiting.', expectedMs);
    }
    if (expectedMs > maxWaitMs) throw this.#refusal('expected_wait', 'The expected wait is too long.', expectedMs);
  }

  /** Lets the run wait until `next` gives it; rejects it when that takes too long. `hadTurn`: before all that had none. */
  wait(run: WaitingRun, { hadTurn }: { readonly hadTurn: boolean }): void {
    if (this.#closed) run.reject(this.draining());
    else if (hadTurn) this.#returning.push(run.workspaceId, run, this.#now());
    else this.#queue.push(run.workspaceId, run, this.#now());
  }

  leave(): void {
    this.#away++;
  }

  comeBack(): void {
    this.#away--;
  }

  /**
   * What a free thread is to run, together; empty when nothing waits. Always of one workspace, for a bad run delays its
   * batch. What comes back is alone: it was slow, or it brings its program. Those whose caller went away are passed over.
   * @param idle other threads that have nothing to do; they get their share of all but the shortest runs
   * @param heavyToo false to pass over the heavy workspaces
   */
  next(idle: number, heavyToo: boolean): readonly WaitingRun[] {
    const mayNot = heavyToo ? never : this.#isHeavy;
    const perTurn = (workspaceId: string): number => this.#perTurn(workspaceId, idle);
    for (;;) {
      const returned = this.#returning.take({ perTurn: one, alone: never, mayNot });
      const turn = returned.length > 0 ? returned : this.#queue.take({ perTurn, alone: this.#isAlone, mayNot });
      const runs = turn.filter((run) => !this.#passedOver(run));
      if (runs.length > 0 || turn.length === 0) return runs;
    }
  }

  /** From now on runs of that program are in no batch. */
  keepAlone(programId: string): void {
    // What is forgotten is found out again, at the price of one way to a thread and back.
    if (this.#alone.size >= maxAlone) this.#alone.clear();
    this.#alone.add(programId);
  }

  /** Refuses those that have waited too long. To be called every few milliseconds while anything waits. */
  expire(now: number): void {
    this.#swept = false;
    for (const queue of [this.#returning, this.#queue]) {
      for (const waiter of queue.expire(now - this.limits.maxWaitMs)) {
        waiter.reject(this.#refusal('waited', 'No thread came free in time.', this.#measures.usualPace.serviceMs));
      }
    }
  }

  /** Refuses all that still wait or would, for the server stops. */
  close(): void {
    this.#closed = true;
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

  readonly #isAlone = ({ request }: WaitingRun): boolean => this.#alone.has(request.programId);

  #passedOver(run: WaitingRun): boolean {
    if (!run.gone()) return false;
    run.reject(this.gone());
    return true;
  }

  /** Runs of heavy workspaces that wait do not keep another's from the thread that is left for it. */
  #passedOverFor(workspaceId: string): number {
    if (this.#heavy.size === 0 || this.#heavy.has(workspaceId)) return 0;
    let count = 0;
    for (const heavy of this.#heavy) count += this.#queue.sizeOf(heavy) + this.#returning.sizeOf(heavy);
    return count;
  }

  readonly #isHeavy = (workspaceId: string): boolean => this.#heavy.has(workspaceId);

  /** The more workspaces wait, and the longer runs take, the shorter is a turn: nobody waits for more than a few usual runs. */
  #perTurn(workspaceId: string, idle = 0): number {
    const { onThreadMs } = this.#measures.paceOf(workspaceId);
    const fair = maxBatch / Math.max(1, this.#queue.workspaces);
    const share = idle === 0 ? Infinity : Math.max(this.#queue.size / (idle + 1), worthMs / onThreadMs);
    return Math.max(1, Math.floor(Math.min(fair, share, batchMs / onThreadMs)));
  }

  /** By the workspace's own pace for its own runs, and by the usual one for others', since the heavy ones leave a thread free. */
  #expectedMs(workspaceId: string, threads: number): number {
    const own = this.#queue.sizeOf(workspaceId);
    const ahead = this.#queue.ahead(workspaceId, this.#perTurn(workspaceId)) + this.#returning.size;
    const ownMs = own * this.#measures.paceOf(workspaceId).serviceMs;
    return (ownMs + (ahead - own) * this.#measures.usualPace.serviceMs) / Math.max(1, threads);
  }

  #refusal(why: Refusal, detail: string, expectedMs: number): Problem {
    this.#measures.refused(why);
    return new Problem('overloaded', `${detail} Nothing was run.`, {
      retryAfter: Math.min(60, Math.max(1, Math.ceil(expectedMs / 1000))),
    });
  }
}

const never = (): boolean => false;
const one = (): number => 1;
