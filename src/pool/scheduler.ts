import { Problem } from '../errors.js';
import { BackgroundWork } from './background.js';
import { FairQueue } from './fairQueue.js';
import type { Holding } from './holding.js';
import { joinsTurn, worthMs } from './joining.js';
import type { QueuedRun } from './queuedRun.js';
import type { PoolStats, Refusal } from './stats.js';
import type { Threads } from './threads.js';
import { slowRunMs, type ProgramPace, type WorkspaceAccount, type WorkspaceAccounts } from './workspaceAccounts.js';

/** Runs that one workspace has in a turn at most, */
export const maxBatch = 64;
/** and that all workspaces which wait have together in a round. */
const maxRound = 16;
/** Milliseconds that the runs of a batch may take together, estimated from recent runs. */
const batchMs = 1;
/** Milliseconds after the start of a quick run during which one serving thread is kept for the next. */
const quickLatelyMs = 1000;

export interface SchedulerLimits {
  /** Runs that may wait, of all workspaces. */
  maxQueue: number;
  readonly maxQueuePerWorkspace: number;
  /** Longest wait in milliseconds, expected or real. */
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

/**
 * The policy: who may wait for a thread, who is next, and how many threads there may be.
 *
 * - Turns go round the workspaces that wait. A turn is a batch of short runs, about a millisecond together, or one run.
 * - Slow workspaces (in debt for processor time) share all threads but one, and have their turns among themselves.
 * - A run whose program is not known to be quick may hold its thread for seconds. A workspace holds no more threads
 *   with such runs than the maximum. While quick runs come, one thread that serves is kept for them.
 * - A thread that is held for long, computing or waiting, does not count, nor does the one that is kept while others wait
 *   for it: another may be started in its stead, up to twice the maximum and one.
 *
 * - Work in the background is begun when nothing waits, on threads that give way to all others; one serves beside it.
 *
 * Every refusal means that nothing was run.
 */
export class Scheduler {
  readonly limits: SchedulerLimits;
  readonly #parts: SchedulerDependencies;
  readonly #queue = new FairQueue<QueuedRun>();
  readonly background: BackgroundWork;
  readonly #held = new Set<Holding>();
  /**
   * Runs whose program is being fetched. They count as waiting, because else a slow database would let in any number.
   */
  #away = 0;
  #spare = 0;
  #spareUntil = 0;
  #quickAt = -Infinity;
  #closed = false;

  constructor(limits: SchedulerLimits, parts: SchedulerDependencies) {
    this.limits = limits;
    this.background = new BackgroundWork(parts.spareMs);
    this.#parts = parts;
  }

  get waiting(): number {
    return this.#queue.size + this.#away;
  }

  /** How many waiting runs more threads could begin, of slow workspaces one at most. Looks at everything that waits. */
  demand(): number {
    let slow = 0;
    return this.#queue.count(({ account, pace }) => {
      if (!this.#hasShare(account, pace)) return false;
      return !account.slow || ++slow === 1;
    });
  }

  /** Admission control. Throws `overloaded` when there is no place for one more such run. */
  check({ workspaceId, account, pace }: Pick<QueuedRun, 'workspaceId' | 'account' | 'pace'>): void {
    const idle = this.#mayBegin(account, pace) ? this.#parts.threads.idle : 0;
    // Runs of slow workspaces do not count against others. The rest of those waiting will take idle threads first.
    let ahead = this.waiting;
    if (!account.slow) for (const slow of this.#parts.accounts.slow) ahead -= this.#queue.sizeOf(slow.workspaceId);
    if (idle > ahead) return;
    const { maxQueue, maxQueuePerWorkspace, maxWaitMs } = this.limits;
    const expectedMs = this.#expectedMs(workspaceId, pace.onThreadMs);
    if (ahead >= maxQueue + idle) throw this.#refusal('queue_full', 'Too many runs are waiting.', expectedMs);
    if (this.#queue.sizeOf(workspaceId) >= maxQueuePerWorkspace) {
      throw this.#refusal('workspace_full', 'Too many runs of this workspace are waiting.', expectedMs);
    }
    if (expectedMs > maxWaitMs) throw this.#refusal('expected_wait', 'The expected wait is too long.', expectedMs);
  }

  /**
   * Queues the run until `next` gives it; rejects it when that takes too long. `hadTurn`: it had a turn that it could
   * not use, and goes before the others of its workspace.
   */
  wait(run: QueuedRun, { hadTurn }: { readonly hadTurn: boolean }): void {
    if (this.#closed) run.reject(this.draining());
    else if (run.background) this.background.push(run);
    else this.#queue.push(run.workspaceId, run, this.#parts.now(), run.pace.heldMs, hadTurn);
  }

  /** Whether a run that waits is to be left to a thread that is busy, rather than have another one woken for it. */
  joins(run: QueuedRun): boolean {
    return joinsTurn(run, { waiting: this.#queue.sizeOf(run.workspaceId), held: this.#held, now: this.#parts.now() });
  }

  /** Waits for `provision`, which fetches what a thread lacked, and counts the run as waiting meanwhile. */
  async away<T>(provision: Promise<T>): Promise<T> {
    this.#away++;
    try {
      return await provision;
    } finally {
      this.#away--;
    }
  }

  /**
   * The batch that a free thread is to run; empty when there is nothing for it. Always of one workspace, because a bad
   * run delays its batch. Runs whose caller went away are rejected.
   * @param low the thread has low priority, and so is for slow workspaces alone
   */
  next({ low }: { readonly low: boolean }): readonly QueuedRun[] {
    // A slow run takes a thread of normal priority only where none of low priority is idle.
    const mayHave = ({ slow }: WorkspaceAccount): boolean => (low ? slow : !slow || this.#parts.threads.idleLow === 0);
    const may = ({ account, pace }: QueuedRun): boolean => mayHave(account) && this.#mayBegin(account, pace);
    for (;;) {
      const turn = this.#queue.take({ perTurn: this.#perTurn, alone: isAlone, may });
      const gone = turn.filter((run) => run.gone());
      for (const run of gone) run.reject(this.#gone());
      if (turn.length === 0) return this.#nextInBackground(low);
      if (gone.length < turn.length) return turn.filter((run) => !gone.includes(run));
    }
  }

  /** One piece, where no run waits: on a thread that gives way already, or on one more while another serves. */
  #nextInBackground(low: boolean): readonly QueuedRun[] {
    if (this.#queue.size > 0) return [];
    const { idleLow, serving, max } = this.#parts.threads;
    const mayHave = low || (idleLow === 0 && serving - this.#slow >= 2);
    return mayHave && this.#slow < Math.max(1, max - 1) ? this.background.take(this.#parts.now()) : [];
  }

  /** Records that these runs (from `next`, or repeated) occupy a thread; `release` ends that. */
  hold(runs: readonly QueuedRun[], account: WorkspaceAccount): Holding {
    const { slow } = account;
    const unproven = slow || runs.some(({ pace }) => !pace.quick);
    const background = runs[0]?.background === true;
    const beganAt = this.#parts.now();
    const holding = { account, unproven, slow, background, beganAt, long: false };
    if (background) this.background.begin();
    else if (runs.length > 0) this.background.noteLive(beganAt);
    this.#held.add(holding);
    if (!unproven && runs.length > 0) this.#quickAt = this.#parts.now();
    return holding;
  }

  /**
   * Marks a turn under way as long or slow. To be called every few milliseconds, after the accounts were settled.
   * @param computedMs how much of `heldMs` it has computed; called only where it matters
   */
  look(holding: Holding, heldMs: number, computedMs: () => number): void {
    if (heldMs <= slowRunMs) return;
    holding.long = true;
    if (holding.background || computedMs() <= slowRunMs) return;
    holding.slow = true;
    this.#parts.accounts.mark(holding.account);
  }

  /** Ends a turn. @param chargedMs what its workspace owes for it; nothing where it was quick */
  release(holding: Holding, chargedMs: number, now: number): void {
    this.#held.delete(holding);
    if (holding.background) this.background.end(now, now - holding.beganAt);
    else if (chargedMs >= slowRunMs) this.#parts.accounts.charge(holding.account, chargedMs, now);
  }

  /**
   * How many threads beyond the maximum are needed, so that slow and long runs leave some to the others. To be asked
   * every few milliseconds.
   */
  spare(now: number): number {
    const kept = ({ account, pace }: QueuedRun): boolean =>
      this.#hasShare(account, pace) && !this.#mayBegin(account, pace);
    const needed = Math.max(
      this.#count(({ long }) => long),
      this.#parts.accounts.slow.size > 0 || this.#queue.count(kept) > 0 || this.background.lately(now) ? 1 : 0,
    );
    if (needed >= this.#spare || now >= this.#spareUntil) this.#spare = needed;
    if (needed === this.#spare) this.#spareUntil = now + this.#parts.spareMs;
    return this.#spare;
  }

  /** Refuses those that have waited too long, or whose caller went away. To be called every few milliseconds. */
  expire(now: number): void {
    this.#queue.extract((run) => run.gone()).forEach((run) => run.reject(this.#gone()));
    for (const run of this.#queue.expire(now - this.limits.maxWaitMs)) {
      run.reject(this.#refusal('waited', 'No thread came free in time.', this.#parts.accounts.usual.heldMs));
    }
  }

  /** Refuses all that wait now or come later, because the server stops. */
  close(): void {
    this.#closed = true;
    for (const run of [...this.#queue.extract(() => true), ...this.background.clear()]) run.reject(this.draining());
  }

  draining(): Problem {
    return this.#refusal('draining', 'The server is stopping.', 0);
  }

  get #slow(): number {
    return this.#count(({ slow }) => slow);
  }

  get #unproven(): number {
    return this.#count(({ unproven }) => unproven);
  }

  #count(matches: (holding: Holding) => boolean): number {
    let count = 0;
    for (const holding of this.#held) if (matches(holding)) count++;
    return count;
  }

  /** Whether the run is within its share of the threads, whether or not one is free. */
  #hasShare(account: WorkspaceAccount, { quick }: ProgramPace): boolean {
    const { max } = this.#parts.threads;
    if (account.slow) return this.#slow < Math.max(1, max - 1);
    if (quick) return true;
    const own = this.#count((holding) => holding.unproven && holding.account === account);
    // The last thread below twice the maximum plus one stays for quick runs.
    return own < Math.max(2, max) && this.#unproven < 2 * max;
  }

  /**
   * Whether the run may begin on the present threads: runs that may be long leave one serving thread to quick ones. A
   * program that never ran is likely to be quick, so one of those at a time may use it.
   */
  #mayBegin(account: WorkspaceAccount, pace: ProgramPace): boolean {
    if (!this.#hasShare(account, pace)) return false;
    if (pace.quick && !account.slow) return true;
    const quickLately = this.#parts.now() - this.#quickAt < quickLatelyMs;
    if (!account.slow && (!quickLately || (!pace.ran && this.#unproven === 0))) return true;
    return this.#parts.threads.serving - (quickLately ? this.#unproven : this.#slow) >= 2;
  }

  /**
   * Runs of a turn. The more workspaces wait, and the longer runs take, the fewer: nobody waits for more than a few
   * usual runs.
   */
  readonly #perTurn = ({ pace: { onThreadMs } }: QueuedRun): number =>
    this.#turnOf(onThreadMs, this.#parts.threads.idle);

  /** @param idle other threads that are idle; they get their share of all but the shortest runs */
  #turnOf(onThreadMs: number, idle: number): number {
    const fair = this.#queue.workspaces > 1 ? maxRound / this.#queue.workspaces : maxBatch;
    const share = idle === 0 ? Infinity : Math.max(this.#queue.size / (idle + 1), worthMs / onThreadMs);
    return Math.max(1, Math.floor(Math.min(fair, share, batchMs / onThreadMs)));
  }

  /**
   * The expected wait: the workspace's own runs count by their own pace, others by the usual one, because slow ones
   * leave a thread free.
   */
  #expectedMs(workspaceId: string, onThreadMs: number): number {
    const own = this.#queue.sizeOf(workspaceId);
    const ahead = this.#queue.ahead(workspaceId, this.#turnOf(onThreadMs, 0));
    const ownMs = this.#queue.weightOf(workspaceId);
    return (ownMs + (ahead - own) * this.#parts.accounts.usual.heldMs) / Math.max(1, this.#parts.threads.size);
  }

  #gone(): Problem {
    return this.#refusal('gone', 'The caller went away before the run began.', 0);
  }

  #refusal(why: Refusal, detail: string, expectedMs: number): Problem {
    this.#parts.stats.refused(why);
    return new Problem('overloaded', `${detail} Nothing was run.`, {
      retryAfter: Math.min(60, Math.max(1, Math.ceil(expectedMs / 1000))),
    });
  }
}

const isAlone = ({ pace }: QueuedRun): boolean => pace.alone || pace.onThreadMs > batchMs;
