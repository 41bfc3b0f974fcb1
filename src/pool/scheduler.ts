import { Problem } from '../errors.js';
import { FairQueue } from './fairQueue.js';
import type { QueuedRun } from './queuedRun.js';
import type { PoolStats, Refusal } from './stats.js';
import type { Threads } from './threads.js';
import { slowRunMs, type WorkspaceAccount, type WorkspaceAccounts } from './workspaceAccounts.js';

/** Runs that one workspace has in a turn at most. */
const maxBatch = 16;
/** What the runs of a batch may take together, by what runs take of late. */
const batchMs = 1;
/**
 * For less work than that, another thread is not worth it. The way to a thread and back is 0.05, but waking one also
 * costs whoever has its core: measured on 2 cores, a tenth less processor time and 6 % more executions than with 0.05.
 */
const worthMs = 0.5;

export interface SchedulerLimits {
  /** Runs that may wait, of all workspaces. */
  maxQueue: number;
  readonly maxQueuePerWorkspace: number;
  /** Longest wait, expected or real. */
  readonly maxWaitMs: number;
}

export interface SchedulerDependencies {
  readonly stats: PoolStats;
  readonly accounts: WorkspaceAccounts;
  readonly threads: Pick<Threads, 'idle' | 'idleLow' | 'size' | 'serving' | 'max'>;
  /** Milliseconds of the pool's clock. */
  readonly now: () => number;
  /** How long threads beyond the maximum stay after their last need. */
  readonly spareMs: number;
}

/** A thread as a turn of one workspace holds it. */
export interface Holding {
  readonly account: WorkspaceAccount;
  /** It began with a run of a workspace that was slow then, or of a program that is not known to be quick. */
  readonly unproven: boolean;
  /** It holds the thread for long, whether it computes or waits. */
  long: boolean;
  /** Its workspace was slow when it began, or its run has computed for long. */
  slow: boolean;
  /** The run itself has computed for long. */
  computesLong: boolean;
}

/**
 * The policy: who may wait for a thread, who is next, and how many threads there may be.
 *
 * - Turns go round the workspaces that wait. A turn is a batch of short runs, about a millisecond together, or one run.
 * - Slow workspaces (in debt for processor time) share all threads but one, and have their turns among themselves.
 * - A run whose program is not known to be quick may wait on its thread for seconds. A workspace holds no more threads
 *   with such runs than the maximum, and there is always a thread left for quick ones, since
 * - a thread that is held for long, computing or waiting, does not count: another may be started in its stead, up to
 *   twice the maximum and one.
 *
 * Every refusal means that nothing was run.
 */
export class Scheduler {
  readonly limits: SchedulerLimits;
  readonly #parts: SchedulerDependencies;
  readonly #queue = new FairQueue<QueuedRun>();
  /** Runs that had their turn already, and could not use it: they go first. */
  readonly #returning = new FairQueue<QueuedRun>();
  /** Runs that will return; they hold a place as if they waited, or a slow database would let in any number. */
  #away = 0;
  /** Those of them that would not have an idle thread, about. */
  #passedOver = 0;
  #unproven = 0;
  #long = 0;
  #slow = 0;
  #spare = 0;
  #spareUntil = 0;
  #swept = false;
  #closed = false;

  constructor(limits: SchedulerLimits, parts: SchedulerDependencies) {
    this.limits = limits;
    this.#parts = parts;
  }

  get waiting(): number {
    return this.ready + this.#away;
  }

  /** Runs that wait for a thread and for nothing else. */
  get ready(): number {
    return this.#queue.size + this.#returning.size;
  }

  /** Runs that more threads would begin; looks at everything that waits. */
  readonly demand = (): number => {
    let forSlow = 0;
    const others = (run: QueuedRun): boolean => {
      if (run.account.slow && this.#slow < this.#slowShare) forSlow = 1;
      return !run.account.slow && this.#mayBegin(run.account, run.pace.quick);
    };
    return this.#queue.count(others) + this.#returning.count(others) + forSlow;
  };

  /** Throws `overloaded` when there is no place for one more such run. */
  check({ workspaceId, account, pace }: Pick<QueuedRun, 'workspaceId' | 'account' | 'pace'>): void {
    const idle = this.#mayBegin(account, pace.quick) ? this.#parts.threads.idle : 0;
    // Runs that are passed over keep nobody else out. The others are still on their way to the idle threads.
    const ahead = account.slow ? this.waiting : Math.max(0, this.waiting - this.#passedOver);
    if (idle > ahead) return;
    const { maxQueue, maxQueuePerWorkspace, maxWaitMs } = this.limits;
    const expectedMs = this.#expectedMs(workspaceId, pace.onThreadMs);
    if (ahead >= maxQueue + idle) {
      const swept = this.#sweep();
      if (ahead - swept >= maxQueue + idle) {
        throw this.#refusal('queue_full', 'Too many runs are waiting.', expectedMs);
      }
    }
    if (this.#queue.sizeOf(workspaceId) >= maxQueuePerWorkspace) {
      throw this.#refusal('workspace_full', 'Too many runs of this workspace are waiting.', expectedMs);
    }
    if (expectedMs > maxWaitMs) throw this.#refusal('expected_wait', 'The expected wait is too long.', expectedMs);
  }

  /** Lets the run wait until `next` gives it; rejects it when that takes too long. `hadTurn`: before all that had none. */
  wait(run: QueuedRun, { hadTurn }: { readonly hadTurn: boolean }): void {
    if (this.#closed) {
      run.reject(this.draining());
      return;
    }
    (hadTurn ? this.#returning : this.#queue).push(run.workspaceId, run, this.#parts.now(), run.pace.heldMs);
    if (!this.#mayBegin(run.account, run.pace.quick)) this.#passedOver++;
  }

  leave(): void {
    this.#away++;
  }

  comeBack(): void {
    this.#away--;
  }

  /**
   * What a free thread is to run, together; empty when there is nothing for it. Always of one workspace, for a bad run
   * delays its batch. What comes back is alone: it was slow, or it brings its program. Those whose caller went away are
   * passed over.
   * @param low the thread gives way to all others, and so is for slow workspaces alone
   */
  next({ low }: { readonly low: boolean }): readonly QueuedRun[] {
    const may = low ? this.#mayBeginLow : this.#mayBeginUsual;
    for (;;) {
      const returned = this.#returning.take({ perTurn: one, alone: never, may });
      const turn = returned.length > 0 ? returned : this.#queue.take({ perTurn: this.#perTurn, alone: isAlone, may });
      const runs = turn.filter((run) => !this.#rejectGone(run));
      if (runs.length === 0 && turn.length > 0) continue;
      if (!low) this.#passedOver = runs.length === 0 ? this.ready : Math.min(this.#passedOver, this.ready);
      return runs;
    }
  }

  /** To be called with what `next` gave, or what is repeated, when it goes to a thread. */
  hold(runs: readonly QueuedRun[], account: WorkspaceAccount): Holding {
    const { slow } = account;
    const unproven = slow || runs.some(({ pace }) => !pace.quick);
    if (slow) this.#slow++;
    if (unproven) {
      this.#unproven++;
      account.unproven++;
    }
    return { account, unproven, slow, long: false, computesLong: false };
  }

  /** Looks at a turn under way. @param computedMs what it has computed until now of `heldMs`, asked for where it matters */
  look(holding: Holding, heldMs: number, computedMs: () => number): void {
    if (heldMs <= slowRunMs) return;
    if (!holding.long) {
      holding.long = true;
      this.#long++;
    }
    if (holding.computesLong || computedMs() <= slowRunMs) return;
    holding.computesLong = true;
    this.#parts.accounts.begin(holding.account);
    if (holding.slow) return;
    holding.slow = true;
    this.#slow++;
  }

  /** A turn is over. @param chargedMs is owed for it; nothing where it was quick */
  release(holding: Holding, chargedMs: number, now: number): void {
    const { account, unproven, long, slow, computesLong } = holding;
    if (long) this.#long--;
    if (slow) this.#slow--;
    if (computesLong) account.slowRuns--;
    if (unproven) {
      this.#unproven--;
      account.unproven--;
    }
    if (chargedMs >= slowRunMs) this.#parts.accounts.charge(account, chargedMs, now);
  }

  /** Threads that there are to be beyond the maximum, for others than slow and long runs. To be asked every few milliseconds. */
  spare(now: number): number {
    const needed = Math.max(this.#long, this.#parts.accounts.slow.size > 0 ? 1 : 0);
    if (needed >= this.#spare || now >= this.#spareUntil) this.#spare = needed;
    if (needed === this.#spare) this.#spareUntil = now + this.#parts.spareMs;
    return this.#spare;
  }

  /** Whether a thread serves beside the one that is asked for, and is not held for long. */
  canSpareOne(): boolean {
    return this.#parts.threads.serving - this.#parts.threads.idleLow - this.#long >= 2;
  }

  /** Refuses those that have waited too long. To be called every few milliseconds while anything waits. */
  expire(now: number): void {
    this.#swept = false;
    for (const queue of [this.#returning, this.#queue]) {
      for (const run of queue.expire(now - this.limits.maxWaitMs)) {
        run.reject(this.#refusal('waited', 'No thread came free in time.', this.#parts.accounts.usual.heldMs));
      }
    }
  }

  /** Refuses all that still wait or would, for the server stops. */
  close(): void {
    this.#closed = true;
    for (const queue of [this.#returning, this.#queue]) {
      for (const run of queue.extract(() => true)) run.reject(this.draining());
    }
  }

  gone(): Problem {
    return this.#refusal('gone', 'The caller went away before the run began.', 0);
  }

  draining(): Problem {
    return this.#refusal('draining', 'The server is stopping.', 0);
  }

  /** Threads that slow workspaces have together at most. */
  get #slowShare(): number {
    return Math.max(1, this.#parts.threads.max - 1);
  }

  #mayBegin(account: WorkspaceAccount, quick: boolean): boolean {
    const { serving, max } = this.#parts.threads;
    if (account.slow) return this.#slow < this.#slowShare && serving - this.#slow >= 2;
    // The last of all threads that there may be is for quick runs.
    return quick || (account.unproven < Math.max(2, max) && this.#unproven < 2 * max);
  }

  readonly #mayBeginUsual = ({ account, pace }: QueuedRun): boolean =>
    this.#mayBegin(account, pace.quick) && !(account.slow && this.#parts.threads.idleLow > 0);

  readonly #mayBeginLow = ({ account, pace }: QueuedRun): boolean =>
    account.slow && this.#mayBegin(account, pace.quick);

  /** The more workspaces wait, and the longer runs take, the shorter is a turn: nobody waits for more than a few usual runs. */
  readonly #perTurn = ({ pace: { onThreadMs } }: QueuedRun): number =>
    this.#turnOf(onThreadMs, this.#parts.threads.idle);

  /** @param idle other threads that have nothing to do; they get their share of all but the shortest runs */
  #turnOf(onThreadMs: number, idle: number): number {
    const fair = maxBatch / Math.max(1, this.#queue.workspaces);
    const share = idle === 0 ? Infinity : Math.max(this.#queue.size / (idle + 1), worthMs / onThreadMs);
    return Math.max(1, Math.floor(Math.min(fair, share, batchMs / onThreadMs)));
  }

  /** By the workspace's own pace for its own runs, and by the usual one for others', since the slow ones leave a thread free. */
  #expectedMs(workspaceId: string, onThreadMs: number): number {
    const own = this.#queue.sizeOf(workspaceId);
    const ahead = this.#queue.ahead(workspaceId, this.#turnOf(onThreadMs, 0)) + this.#returning.size;
    const ownMs = this.#queue.weightOf(workspaceId);
    return (ownMs + (ahead - own) * this.#parts.accounts.usual.heldMs) / Math.max(1, this.#parts.threads.size);
  }

  /** Callers that went away keep nobody out; looked for at most once between two calls of `expire`. How many there were. */
  #sweep(): number {
    if (this.#swept) return 0;
    this.#swept = true;
    const gone = this.#queue.extract((run) => run.gone());
    for (const run of gone) run.reject(this.gone());
    return gone.length;
  }

  #rejectGone(run: QueuedRun): boolean {
    if (!run.gone()) return false;
    run.reject(this.gone());
    return true;
  }

  #refusal(why: Refusal, detail: string, expectedMs: number): Problem {
    this.#parts.stats.refused(why);
    return new Problem('overloaded', `${detail} Nothing was run.`, {
      retryAfter: Math.min(60, Math.max(1, Math.ceil(expectedMs / 1000))),
    });
  }
}

const never = (): boolean => false;
const one = (): number => 1;
const isAlone = ({ pace }: QueuedRun): boolean => pace.alone || pace.onThreadMs > batchMs;
