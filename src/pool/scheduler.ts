import { Problem } from '../errors.js';
import { BackgroundWork } from './background.js';
import { FairQueue } from '../turns/fairQueue.js';
import type { PoolObserver, Refusal } from './observer.js';
import type { PoolConfig, PoolSettings } from './settings.js';
import type { Thread } from './thread.js';
import type { Threads } from './threads.js';
import type { QueuedRun, Turn } from './turn.js';
import {
  inBackground,
  isBackground,
  slowRunMs,
  type Caller,
  type ProgramPace,
  type WorkspaceAccount,
  type WorkspaceAccounts,
} from './workspaceAccounts.js';

/** Runs that one workspace has in a turn at most, */
export const maxBatch = 64;
/** and that all workspaces which wait have together in a round. */
const maxRound = 16;
/** Milliseconds that the runs of a batch may take together, estimated from recent runs. */
const batchMs = 1;
/**
 * Milliseconds of work below which another thread is not used. The way to a thread and back takes 0.05, but waking one
 * also takes time from whatever runs on its core: measured on 2 cores, 0.5 takes a tenth less processor time and gives
 * 6 % more executions than 0.05.
 */
const worthMs = 0.5;
/** Milliseconds from a turn's start within which it is likely to end soon. */
const joinMs = 2;
/** Milliseconds after the start of a quick run during which one serving thread is kept for the next. */
const quickLatelyMs = 1000;

export interface SchedulerDependencies {
  readonly config: Pick<PoolConfig, 'poolMaxQueuePerWorkspace' | 'poolMaxWaitMs'>;
  /** They may change. */
  readonly settings: Pick<PoolSettings, 'maxThreads' | 'maxQueue'>;
  readonly observer: Pick<PoolObserver, 'refused'>;
  readonly accounts: WorkspaceAccounts;
  readonly threads: Pick<Threads, 'idle' | 'idleLow' | 'size' | 'serving'>;
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
 * - Work in the background is begun when nothing waits, on threads that give way to all others; one serves beside it.
 *
 * Every refusal means that nothing was run.
 */
export class Scheduler {
  readonly background: BackgroundWork;
  /** Runs whose program is being fetched. They count as waiting, because else a slow database would let in any number. */
  away = 0;
  /** The turns under way. */
  readonly held = new Set<Turn>();
  readonly #parts: SchedulerDependencies;
  readonly #queue = new FairQueue<QueuedRun>(({ expectedMs }) => expectedMs);
  #spare = 0;
  #spareUntil = 0;
  #quickAt = -Infinity;
  #closed = false;

  constructor(parts: SchedulerDependencies) {
    this.background = new BackgroundWork(parts.spareMs);
    this.#parts = parts;
  }

  get waiting(): number {
    return this.#queue.size + this.away;
  }

  /** How many waiting runs more threads could begin, of slow workspaces one at most. Looks at everything that waits. */
  demand(): number {
    let slow = 0;
    return this.#queue.count((run) => this.#hasShare(run) && (!run.account.slow || ++slow === 1));
  }

  /** Admission control. Throws `overloaded` when there is no place for one more such run. */
  check(caller: Caller): void {
    const { account } = caller;
    if (isBackground(caller)) return;
    const idle = this.#mayBegin(caller) ? this.#parts.threads.idle : 0;
    // Runs of slow workspaces do not count against others. The rest of those waiting will take idle threads first.
    let ahead = this.waiting;
    if (!account.slow) for (const slow of this.#parts.accounts.slow) ahead -= this.#queue.sizeOf(slow.workspaceId);
    if (idle > ahead) return;
    const { config, settings } = this.#parts;
    const expectedMs = this.#expectedMs(caller);
    if (ahead >= settings.maxQueue + idle) throw this.#refusal('queue_full', 'Too many runs are waiting.', expectedMs);
    if (this.#queue.sizeOf(account.workspaceId) >= config.poolMaxQueuePerWorkspace) {
      throw this.#refusal('workspace_full', 'Too many runs of this workspace are waiting.', expectedMs);
    }
    if (expectedMs <= config.poolMaxWaitMs) return;
    throw this.#refusal('expected_wait', 'The expected wait is too long.', expectedMs);
  }

  /** Queues the run until `next` gives it; rejects it when that takes too long. */
  wait(run: QueuedRun): void {
    if (this.#closed) run.reject(this.draining());
    else if (isBackground(run)) this.background.push(run);
    else {
      run.queuedAt = this.#parts.now();
      run.expectedMs = run.pace.heldMs;
      this.#queue.push(run.account.workspaceId, run, run.hadTurn);
    }
  }

  /**
   * Whether a run that waits had better be taken by the thread that is at a short turn of its workspace already, than have
   * another one woken for it.
   */
  joins({ account, pace }: Caller): boolean {
    const waiting = this.#queue.sizeOf(account.workspaceId);
    if (!pace.quick || pace.alone || waiting * pace.onThreadMs >= worthMs) return false;
    const since = this.#parts.now() - joinMs;
    for (const turn of this.held) if (turn.account === account && !turn.unproven && turn.beganAt > since) return true;
    return false;
  }

  /**
   * The batch that a free thread is to run; empty when there is nothing for it. Always of one workspace, because a bad
   * run delays its batch. Runs whose caller went away are rejected.
   * @param low the thread has low priority, and so is for slow workspaces alone
   */
  next({ low }: { readonly low: boolean }): readonly QueuedRun[] {
    const { threads } = this.#parts;
    const perTurn = ({ pace }: QueuedRun): number => this.#perTurn(pace, threads.idle);
    const may = (run: QueuedRun): boolean => {
      const { slow } = run.account;
      // A slow run takes a thread of normal priority only where none of low priority is idle.
      return (low ? slow : !slow || threads.idleLow === 0) && this.#mayBegin(run);
    };
    for (;;) {
      const turn = this.#queue.take({ perTurn, alone: isAlone, may });
      if (turn.length === 0) return this.#nextInBackground(low);
      const wanted = turn.filter((run) => !this.#refuseGone(run));
      if (wanted.length > 0) return wanted;
    }
  }

  /** One piece, where no run waits: on a thread that gives way already, or on one more while another serves. */
  #nextInBackground(low: boolean): readonly QueuedRun[] {
    if (this.#queue.size > 0 || !this.#hasShare(inBackground)) return [];
    const { idleLow, serving } = this.#parts.threads;
    const mayHave = low || (idleLow === 0 && serving - this.#count('slow') >= 2);
    return mayHave ? this.background.take(this.#parts.now()) : [];
  }

  /**
   * Records that these runs (from `next`, or repeated) occupy a thread; `release` ends that.
   * @param withinMs milliseconds until the thread is to be ended
   */
  hold(thread: Thread, account: WorkspaceAccount, runs: readonly QueuedRun[], withinMs: number): Turn {
    const { slow } = account;
    const beganAt = this.#parts.now();
    const unproven = slow || runs.some(({ pace }) => !pace.quick);
    const turn = { thread, account, runs, beganAt, endAt: beganAt + withinMs, unproven, long: false, slow };
    if (isBackground(turn)) this.background.begin();
    else if (runs.length > 0) this.background.noteLive(beganAt);
    this.held.add(turn);
    if (!unproven && runs.length > 0) this.#quickAt = beganAt;
    return turn;
  }

  /**
   * Marks a turn under way as long or slow. To be called every few milliseconds, after the accounts were settled.
   * @param computedMs how much of its time it has computed
   */
  look(turn: Turn, now: number, computedMs: number): void {
    if (now - turn.beganAt <= slowRunMs) return;
    turn.long = true;
    if (isBackground(turn) || computedMs <= slowRunMs) return;
    turn.slow = true;
    this.#parts.accounts.mark(turn.account);
  }

  /** Ends a turn. @param computedMs what its workspace owes for it; nothing where it was quick */
  release(turn: Turn, computedMs: number, now: number): void {
    this.held.delete(turn);
    if (isBackground(turn)) this.background.end(now, now - turn.beganAt);
    else if (computedMs >= slowRunMs) this.#parts.accounts.charge(turn.account, computedMs, now);
  }

  /**
   * How many threads beyond the maximum are needed, so that slow and long runs leave some to the others. To be asked
   * every few milliseconds.
   */
  spare(now: number): number {
    const isKeptOut = (run: QueuedRun): boolean => this.#hasShare(run) && !this.#mayBegin(run);
    const needed = Math.max(
      this.#count('long'),
      this.#parts.accounts.slow.size > 0 || this.#queue.count(isKeptOut) > 0 || this.background.lately(now) ? 1 : 0,
    );
    if (needed >= this.#spare || now >= this.#spareUntil) this.#spare = needed;
    if (needed === this.#spare) this.#spareUntil = now + this.#parts.spareMs;
    return this.#spare;
  }

  /** Refuses those that have waited too long, or whose caller went away. To be called every few milliseconds. */
  expire(now: number): void {
    const { accounts, config } = this.#parts;
    const since = now - config.poolMaxWaitMs;
    for (const run of this.#queue.extract(({ queuedAt, gone }) => queuedAt < since || gone())) {
      if (this.#refuseGone(run)) continue;
      run.reject(this.#refusal('waited', 'No thread came free in time.', accounts.usual.heldMs));
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

  /** How many turns under way are that, of one workspace or of all. */
  #count(what: 'long' | 'slow' | 'unproven', account?: WorkspaceAccount): number {
    let count = 0;
    for (const turn of this.held) if (turn[what] && (account === undefined || turn.account === account)) count++;
    return count;
  }

  /** Whether the run is within its share of the threads, whether or not one is free. */
  #hasShare({ account, pace }: Caller): boolean {
    const { maxThreads } = this.#parts.settings;
    if (account.slow) return this.#count('slow') < Math.max(1, maxThreads - 1);
    if (pace.quick) return true;
    const own = this.#count('unproven', account);
    // The last thread below twice the maximum plus one stays for quick runs.
    return own < Math.max(2, maxThreads) && this.#count('unproven') < 2 * maxThreads;
  }

  /**
   * Whether the run may begin on the present threads: runs that may be long leave one serving thread to quick ones. A
   * program that never ran is likely to be quick, so one of those at a time may use it.
   */
  #mayBegin(caller: Caller): boolean {
    const { account, pace } = caller;
    if (!this.#hasShare(caller)) return false;
    if (pace.quick && !account.slow) return true;
    const quickLately = this.#parts.now() - this.#quickAt < quickLatelyMs;
    if (!account.slow && (!quickLately || (!pace.ran && this.#count('unproven') === 0))) return true;
    return this.#parts.threads.serving - (quickLately ? this.#count('unproven') : this.#count('slow')) >= 2;
  }

  /**
   * Runs of a turn. The more workspaces wait, and the longer runs take, the fewer: nobody waits for more than a few
   * usual runs.
   * @param idle other threads that are idle; they get their share of all but the shortest runs
   */
  #perTurn({ onThreadMs }: ProgramPace, idle: number): number {
    const fair = this.#queue.workspaces > 1 ? maxRound / this.#queue.workspaces : maxBatch;
    const share = idle === 0 ? Infinity : Math.max(this.#queue.size / (idle + 1), worthMs / onThreadMs);
    return Math.max(1, Math.floor(Math.min(fair, share, batchMs / onThreadMs)));
  }

  /**
   * The expected wait: the workspace's own runs count by their own pace, others by the usual one, because slow ones
   * leave a thread free.
   */
  #expectedMs({ account: { workspaceId }, pace }: Caller): number {
    const others = this.#queue.ahead(workspaceId, this.#perTurn(pace, 0)) - this.#queue.sizeOf(workspaceId);
    const ms = this.#queue.weightOf(workspaceId) + others * this.#parts.accounts.usual.heldMs;
    return ms / Math.max(1, this.#parts.threads.size);
  }

  /** Refuses the run where its caller went away; false where it did not. */
  #refuseGone(run: QueuedRun): boolean {
    if (!run.gone()) return false;
    run.reject(this.#refusal('gone', 'The caller went away before the run began.', 0));
    return true;
  }

  #refusal(why: Refusal, detail: string, expectedMs: number): Problem {
    this.#parts.observer.refused(why);
    return new Problem('overloaded', `${detail} Nothing was run.`, {
      retryAfter: Math.min(60, Math.max(1, Math.ceil(expectedMs / 1000))),
    });
  }
}

const isAlone = ({ pace }: QueuedRun): boolean => pace.alone || pace.onThreadMs > batchMs;
