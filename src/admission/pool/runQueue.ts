import { Problem } from '../../errors.js';
import { liveMs, maxDebtMs, maxTogether, messageMs, rests, slowMs, tickMs } from '../constants.js';
import { FairQueue } from '../fairQueue.js';
import { isBackground, type Lease, type Leases, type LeasesParts } from './leases.js';
import type { PoolObserver, QueuedRun, Refusal } from './queuedRun.js';
import type { PoolConfig, PoolSettings } from './settings.js';
import type { Thread } from './thread.js';
import type { Caller, WorkspaceAccount, WorkspaceAccounts } from './workspaceAccounts.js';

export interface RunQueueParts extends Pick<LeasesParts, 'threads' | 'now'> {
  readonly config: Pick<PoolConfig, 'poolMaxQueuePerWorkspace' | 'poolMaxWaitMs'>;
  /** It may change. */
  readonly settings: Pick<PoolSettings, 'maxQueue'>;
  readonly observer: Pick<PoolObserver, 'refused'>;
  readonly accounts: WorkspaceAccounts;
  readonly leases: Leases;
  /** How long threads beyond the maximum stay after their last need. */
  readonly overflowMs: number;
}

/**
 * The runs that wait for a thread. Decides which runs may wait, which are next, and how many more threads they need. Next are those of
 * the tenant, and in it of the workspace, that has used threads for the least time; background work begins when nothing else
 * waits. Every refusal means that nothing was run.
 */
export class RunQueue {
  /** Runs whose program is being fetched. They count as waiting: otherwise any number would be let in while the database is slow. */
  readonly fetching = new Set<QueuedRun>();
  readonly #parts: RunQueueParts;
  readonly #queue = new FairQueue<QueuedRun>(liveMs, expected);
  readonly #background = new FairQueue<QueuedRun>(maxDebtMs, expected);
  #backgroundRestUntil = -Infinity;
  #backgroundSeenAt = -Infinity;
  #overflow = 0;
  #overflowUntil = 0;
  #closed = false;

  constructor(parts: RunQueueParts) {
    this.#parts = parts;
  }

  get waiting(): number {
    return this.#queue.size + this.fetching.size;
  }

  /** Whether anything waits for a thread. */
  get isEmpty(): boolean {
    return this.#queue.size + this.#background.size === 0;
  }

  /** How many waiting runs could begin if there were more threads; of slow workspaces one at most. Looks at everything that waits. */
  demand(): number {
    let slow = 0;
    return this.#queue.count((run) => this.#parts.leases.hasShare(run) && (!run.account.slow || ++slow === 1));
  }

  /** Admission: why one more run of that caller is refused; undefined where there is room for it. */
  refusalOf(caller: Caller): Problem | undefined {
    const { account } = caller;
    if (account.background) return undefined;
    const idle = this.#parts.leases.mayBegin(caller) ? this.#parts.threads.idle : 0;
    // Runs of slow workspaces do not count against others. The rest of those waiting will take idle threads first.
    let ahead = this.waiting;
    if (!account.slow) for (const slow of this.#parts.accounts.slow) ahead -= this.#queue.sizeOf(slow.owner);
    if (idle > ahead) return undefined;
    const { config, settings } = this.#parts;
    const expectedMs = this.#expectedWaitMs(caller);
    if (ahead >= settings.maxQueue + idle && !this.#makeRoom(caller, expectedMs)) {
      return this.#refusal('queue_full', 'Too many runs are waiting.', expectedMs);
    }
    if (this.#queue.sizeOf(account.owner) >= config.poolMaxQueuePerWorkspace) {
      return this.#refusal('workspace_full', 'Too many runs of this workspace are waiting.', expectedMs);
    }
    if (expectedMs <= config.poolMaxWaitMs) return undefined;
    return this.#refusal('expected_wait', 'The expected wait is too long.', expectedMs);
  }

  /** Refuses the last run of the tenant or workspace with the most waiting runs, where these are more than the caller's. */
  #makeRoom({ account: { owner } }: Caller, expectedMs: number): boolean {
    const last = this.#queue.pushOut(owner);
    last?.reject(this.#refusal('queue_full', 'Too many runs of this caller are waiting.', expectedMs));
    return last !== undefined;
  }

  /** Queues the run until `next` gives it; rejects it when that takes too long. */
  push(run: QueuedRun): void {
    if (this.#closed) {
      run.reject(this.draining());
      return;
    }
    run.queuedAt = this.#parts.now();
    run.expectedMs = run.pace.heldMs;
    this.#queueOf(run.account).push(run.account.owner, run, run.requeued ? anyOther : undefined);
  }

  /**
   * Whether the caller's waiting runs are left to a thread that has short runs of the same workspace: they cost less time than
   * waking another thread.
   */
  joins({ account, pace }: Caller): boolean {
    const waiting = this.#queue.sizeOf(account.owner);
    if (!pace.quick || pace.alone || waiting * pace.onThreadMs >= worthMs) return false;
    return this.#parts.leases.endsSoon(account);
  }

  /**
   * Removes and returns the runs that a free thread is to have; none when there is nothing for it. They are always of one workspace,
   * because a bad run delays the runs that are sent with it. Runs whose caller went away are rejected.
   */
  next(thread: Pick<Thread, 'low'>): readonly QueuedRun[] {
    const { leases, now, threads } = this.#parts;
    const most = (run: QueuedRun): number => this.#mostTogether(run, threads.idle);
    const may = (run: QueuedRun): boolean => leases.mayUse(thread, run) && leases.mayBegin(run);
    for (;;) {
      const runs = this.#queue.take({ most, alone: isAlone, may });
      const wanted = runs.filter((run) => !this.#refuseGone(run));
      if (wanted.length > 0) return wanted;
      if (runs.length === 0) break;
    }
    // Slow workspaces have their share; whatever else waits goes before work in the background.
    const isIdle = this.#background.size > 0 && now() >= this.#backgroundRestUntil && this.#queue.count(isUsual) === 0;
    return isIdle ? this.#background.take({ most: onePiece, alone: anyOther, may }) : [];
  }

  /**
   * Marks a lease as long or slow, and charges its workspace with what it has used so far. To be called every few
   * milliseconds, after the accounts were settled.
   * @param computedMs how much of its time it has computed
   */
  look(lease: Lease, computedMs: number, now: number): void {
    this.#charge(lease, computedMs, now);
    lease.long = now - lease.beganAt > slowMs;
    if (lease.account.background || computedMs <= slowMs) return;
    lease.slow = true;
    this.#parts.accounts.mark(lease.account);
  }

  /** Ends a lease. @param computedMs what its workspace owes for it; nothing where it was quick */
  release(lease: Lease, computedMs: number, now: number): void {
    this.#parts.leases.end(lease);
    this.#charge(lease, computedMs, now);
    if (lease.account.background) this.#restAfter(lease, now);
    else if (computedMs >= slowMs) this.#parts.accounts.charge(lease.account, computedMs, now);
  }

  #charge(lease: Lease, computedMs: number, now: number): void {
    const { account, beganAt, chargedMs } = lease;
    const heldMs = now - beganAt;
    // A run that waits for a host takes nothing from anybody.
    lease.chargedMs = account.background || heldMs < slowMs ? heldMs : computedMs;
    this.#queueOf(account).charge(account.owner, lease.chargedMs - chargedMs);
  }

  /** After a piece of background work beside live runs there is a rest, which its workspace is charged with too. */
  #restAfter({ account, beganAt }: Lease, now: number): void {
    if (!this.#parts.leases.liveWithin(2 * tickMs)) return;
    const restMs = rests.background * Math.min(slowMs / 2, now - beganAt);
    this.#backgroundRestUntil = now + restMs;
    this.#background.charge(account.owner, restMs);
  }

  #queueOf({ background }: WorkspaceAccount): FairQueue<QueuedRun> {
    return background ? this.#background : this.#queue;
  }

  /** Whether there was background work within the time that overflow threads stay. To be asked every few milliseconds. */
  backgroundLately(now: number): boolean {
    if (this.#background.size + this.#parts.leases.count(isBackground) > 0) this.#backgroundSeenAt = now;
    return now - this.#backgroundSeenAt < this.#parts.overflowMs;
  }

  /**
   * How many threads beyond the maximum are needed, so that slow and long runs leave some to the others, and background
   * work has one. To be asked every few milliseconds.
   */
  overflow(now: number): number {
    const { accounts, leases, overflowMs } = this.#parts;
    const isKeptOut = (run: QueuedRun): boolean => leases.hasShare(run) && !leases.mayBegin(run);
    const keepsOthersOut = accounts.slow.size > 0 || this.#queue.count(isKeptOut) > 0;
    const longInBackground = leases.count((lease) => lease.long && isBackground(lease));
    const long = leases.count((lease) => lease.long) - longInBackground;
    const forBackground = this.backgroundLately(now) ? Math.max(1, longInBackground) : 0;
    const needed = Math.max(long, keepsOthersOut ? 1 : 0) + forBackground;
    if (needed >= this.#overflow || now >= this.#overflowUntil) this.#overflow = needed;
    if (needed === this.#overflow) this.#overflowUntil = now + overflowMs;
    return this.#overflow;
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
    for (const queue of [this.#queue, this.#background])
      for (const run of queue.extract(anyOther)) run.reject(this.draining());
  }

  draining(): Problem {
    return this.#refusal('draining', 'The server is stopping.', 0);
  }

  /**
   * How many runs are sent together. The more tenants (or workspaces of one) wait, and the longer runs take, the fewer: nobody waits
   * for more than a few usual runs.
   * @param idle other threads that are idle; they get their share of all but the shortest runs
   */
  #mostTogether({ account: { owner }, pace: { onThreadMs } }: Caller, idle: number): number {
    const rivals = this.#queue.rivals(owner);
    const fair = rivals > 1 ? maxTogether / 4 / rivals : maxTogether;
    const share = idle === 0 ? Infinity : Math.max(this.#queue.size / (idle + 1), worthMs / onThreadMs);
    return Math.max(1, Math.floor(Math.min(fair, share, messageMs / onThreadMs)));
  }

  /**
   * The expected wait: the workspace's own runs count by their own pace, others by the usual one, because slow ones
   * leave a thread free.
   */
  #expectedWaitMs(caller: Caller): number {
    const { owner } = caller.account;
    const others = this.#queue.ahead(owner, this.#mostTogether(caller, 0)) - this.#queue.sizeOf(owner);
    const ms = this.#queue.weightOf(owner) + others * this.#parts.accounts.usual.heldMs;
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

/** Less work than this, in milliseconds, is not worth waking another thread: it waits for a thread that is at work. */
const worthMs = messageMs / 2;

const expected = ({ expectedMs }: QueuedRun): number => expectedMs;
const anyOther = (): boolean => true;
const isAlone = ({ pace }: QueuedRun): boolean => pace.alone || pace.onThreadMs > messageMs;
const isUsual = ({ account }: QueuedRun): boolean => !account.slow;
const onePiece = (): number => 1;
