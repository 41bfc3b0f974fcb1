import type { Logger } from 'pino';
import type { BatchAnswer, Preparation, ThreadReply } from '../../workers/protocol.js';
import type { QueuedRun } from './queuedRun.js';
import type { Holding } from './holding.js';
import type { Scheduler } from './scheduler.js';
import type { PoolStats } from './stats.js';
import type { Thread } from './thread.js';
import { forLog, mayBeAnothers, stoppedBy } from './threadFailure.js';
import { messageOf } from './threadMessages.js';
import type { Threads } from './threads.js';
import { slowRunMs, type WorkspaceAccount, type WorkspaceAccounts } from './workspaceAccounts.js';

/** The engine stops itself at the run's limit; a thread that has not answered this much later is ended. */
const graceMs = 250;
/**
 * Milliseconds after which an unanswered batch is stuck in one run and the others are recalled: ten times what a batch
 * may take.
 */
const recallMs = 20;

/** Work that a thread has been given. */
interface Batch {
  readonly thread: Thread;
  readonly holding: Holding;
  /** As they were sent; null where the run was recalled. Empty for a preparation. */
  runs: readonly (QueuedRun | null)[];
  readonly sentAt: number;
  readonly endAt: number;
  /** The thread's `waitedMs` at the start. */
  readonly waitedMs: number;
}

export interface DispatchDependencies {
  readonly threads: Threads;
  readonly scheduler: Scheduler;
  readonly accounts: WorkspaceAccounts;
  readonly stats: PoolStats;
  readonly log: Pick<Logger, 'error'>;
  /** The time limit of a run, at first. */
  readonly runTimeoutMs: number;
  /** Milliseconds of the pool's clock. */
  readonly now: () => number;
}

/** Sends runs to threads, in batches of one workspace where several wait, and resolves each run with its own reply. */
export class Dispatch {
  /** The time limit of a run, milliseconds. */
  runTimeoutMs: number;
  readonly #parts: DispatchDependencies;
  readonly #underWay = new Set<Batch>();
  #waking = false;

  constructor(parts: DispatchDependencies) {
    this.#parts = parts;
    this.runTimeoutMs = parts.runTimeoutMs;
  }

  /** Queues the run for a thread, before others of its workspace when it had its turn already. */
  begin(run: QueuedRun, { hadTurn }: { readonly hadTurn: boolean }): void {
    const { scheduler, threads } = this.#parts;
    scheduler.wait(run, { hadTurn });
    if (this.#waking || scheduler.joins(run)) return;
    if (threads.idle + threads.idleLow === 0) {
      threads.grow(() => scheduler.demand());
      return;
    }
    this.#wake();
  }

  /** Several requests arrive in one turn of the event loop; sent to a thread together they cost a fraction. */
  #wake(): void {
    this.#waking = true;
    setImmediate(() => {
      this.#waking = false;
      this.#offer();
    });
  }

  /** Gives an idle thread what is next; false when nothing waits for it. */
  offer(thread: Thread): boolean {
    const runs = this.#parts.scheduler.next(thread);
    if (runs.length > 0) this.#send(thread, runs);
    return runs.length > 0;
  }

  #offer(): void {
    this.#parts.threads.offer();
    // For runs that found no thread, or may not use the one that is left.
    this.#parts.threads.grow(() => this.#parts.scheduler.demand());
  }

  /**
   * Ends threads whose run is past its limit, and recalls what waits behind a slow one. To be called every few
   * milliseconds.
   */
  check(now: number): void {
    const { accounts, scheduler, threads } = this.#parts;
    accounts.settle(now);
    for (const batch of this.#underWay) {
      if (now > batch.sentAt + recallMs) this.#recall(batch);
      scheduler.look(batch.holding, now - batch.sentAt, () => this.#computedMs(batch, now));
      if (now > batch.endAt) {
        batch.thread.overdue = true;
        void batch.thread.end();
      }
    }
    scheduler.expire(now);
    threads.spare = scheduler.spare(now);
    if (accounts.slow.size === 0 && !scheduler.background.lately(now)) threads.endLow();
    // Runs that were skipped may be allowed now.
    if (scheduler.waiting + scheduler.background.waiting > 0) this.#offer();
  }

  /**
   * Compiles a program on the idle threads, one after the other, but never on the last idle one (another is started
   * first, where the maximum allows it), unless nothing has been served yet. Stops with false where a thread had to be
   * ended.
   */
  async prepare(account: WorkspaceAccount, preparation: Preparation, withinMs: number): Promise<boolean> {
    const { scheduler, stats, threads } = this.#parts;
    const mayTakeOne = (): boolean => !account.slow && (stats.served === 0 || threads.idle >= 2);
    if (!mayTakeOne()) {
      threads.grow(() => 1);
      await threads.ready();
    }
    for (const thread of threads.idleThreads({ low: false })) {
      if (thread.state !== 'idle' || !mayTakeOne()) continue;
      thread.become('busy');
      const batch = this.#enter(thread, [], scheduler.hold([], account), withinMs);
      await thread.prepare(preparation);
      this.#leave(batch, this.#computedMs(batch, this.#parts.now()));
      if (thread.died || thread.overdue) {
        threads.replace(thread, { reserved: false });
        return false;
      }
      threads.release(thread);
    }
    return true;
  }

  #send(thread: Thread, runs: readonly QueuedRun[]): void {
    const [first] = runs;
    if (first === undefined) return;
    // Each run's limit counts from its own start, but a batch begins all its runs within milliseconds: the grace covers
    // that.
    const holding = this.#parts.scheduler.hold(runs, first.account);
    if (holding.slow) thread.low = true;
    // A piece in the background has two runs, each with its limit, in the last of its cases.
    const withinMs = (first.background ? 2 : 1) * this.runTimeoutMs + graceMs;
    const batch = this.#enter(thread, runs, holding, withinMs);
    thread.run(messageOf(runs, this.runTimeoutMs)).then(
      (answer) => this.#answered(batch, answer),
      (error: unknown) => void this.#lost(batch, error),
    );
  }

  #enter(thread: Thread, runs: readonly QueuedRun[], holding: Holding, withinMs: number): Batch {
    const sentAt = this.#parts.now();
    const endAt = sentAt + withinMs;
    const batch: Batch = { thread, holding, runs, sentAt, endAt, waitedMs: thread.waitedMs() };
    this.#underWay.add(batch);
    return batch;
  }

  #leave(batch: Batch, owedMs: number): void {
    this.#underWay.delete(batch);
    this.#parts.scheduler.release(batch.holding, owedMs, this.#parts.now());
  }

  /** Milliseconds that the thread has computed for the batch; 0 where that is less than a slow run. */
  #computedMs({ thread, sentAt, waitedMs }: Batch, now: number): number {
    if (now - sentAt < slowRunMs) return 0;
    return now - sentAt - (thread.waitedMs() - waitedMs);
  }

  #answered(batch: Batch, { replies, us, alone }: BatchAnswer): void {
    const { thread, runs, sentAt } = batch;
    const now = this.#parts.now();
    this.#leave(batch, this.#computedMs(batch, now));
    const onThreadMs = us.reduce((sum, each) => sum + each, 0) / 1000;
    const shareMs = Math.max(0, now - sentAt - onThreadMs) / replies.length;
    let startedAt = sentAt;
    replies.forEach((reply, index) => {
      const ms = (us[index] ?? 0) / 1000;
      const run = runs[index] ?? null;
      if (run !== null) {
        thread.served++;
        this.#waited(run, startedAt);
        this.#end(run, reply, { startedAt, ms, heldMs: ms + shareMs });
      }
      startedAt += ms;
    });
    const next = runs[replies.length];
    if (alone && next) next.pace.alone = true;
    this.#again(runs.slice(replies.length));
    this.#parts.threads.release(thread);
    // What joined that turn may have found another workspace's before it.
    if (this.#parts.scheduler.waiting > 0 && !this.#waking) this.#wake();
  }

  /**
   * Recalls all runs of the batch but the one that the thread is at. Those before it are over, but their replies are
   * not here and may never be: they run again, which is safe, because runs with side effects are never in a batch.
   */
  #recall(batch: Batch): void {
    const { thread, runs } = batch;
    if (runs.length <= 1 || runs.includes(null)) return;
    const at = Math.max(0, thread.stopBatch() - 1);
    thread.served += at;
    batch.runs = runs.map((run, index) => (index === at ? run : null));
    this.#again(runs.filter((_, index) => index !== at));
  }

  /** Queues the runs again, in their order. */
  #again(runs: Batch['runs']): void {
    for (const run of [...runs].reverse()) if (run !== null) this.begin(run, { hadTurn: true });
  }

  async #lost(batch: Batch, error: unknown): Promise<void> {
    this.#recall(batch);
    const { thread, sentAt: startedAt } = batch;
    const now = this.#parts.now();
    const ms = now - startedAt;
    const stopped = stoppedBy(thread, error, ms);
    const unclear = mayBeAnothers(thread, stopped);
    const computedMs = this.#computedMs(batch, now);
    // A lost thread costs at least as much as a slow run.
    this.#leave(batch, unclear ? computedMs : Math.max(slowRunMs, computedMs));
    const { reason } = stopped;
    this.#parts.log.error(
      { reason, unclear, served: thread.served, ms, ...forLog(error) },
      'a thread was lost under a run',
    );
    const fresh = this.#parts.threads.replace(thread, { reserved: unclear });
    // An earlier run may be at fault: this one is tried once more, on a thread that has run nothing else.
    const again = unclear && fresh !== null && (await fresh.started);
    if (again && fresh.state === 'reserved') fresh.become('busy');
    for (const run of batch.runs) {
      if (run === null) continue;
      this.#waited(run, startedAt);
      if (again) this.#send(fresh, [run]);
      else this.#end(run, stopped, { startedAt, ms, heldMs: ms });
    }
  }

  /** @param heldMs how long the run held its thread; `ms` of it on the thread itself */
  #end(
    run: QueuedRun,
    reply: ThreadReply,
    { startedAt, ms, heldMs }: Record<'startedAt' | 'ms' | 'heldMs', number>,
  ): void {
    const { accounts, log, now, stats } = this.#parts;
    if (reply.kind !== 'miss' && !run.background) {
      const end = reply.kind === 'stopped' ? reply.reason : 'done';
      stats.ran(heldMs, end, now());
      accounts.ran(run.pace, heldMs, ms);
      // In traces a model's own fault counts as a failure too.
      const completed = reply.kind === 'worked' || (reply.kind === 'done' && reply.status === 'COMPLETED');
      const fault = completed ? undefined : end;
      run.trace?.part('pool.run', startedAt, startedAt + ms, fault === 'done' ? 'failed' : fault);
      if (reply.kind === 'stopped' && reply.detail) log.error({ detail: reply.detail }, 'the engine failed on a run');
    }
    run.resolve(reply);
  }

  #waited(run: QueuedRun, until: number): void {
    if (run.since === null || run.background) return;
    this.#parts.stats.waited(until - run.since, until);
    run.trace?.part('pool.wait', run.since, until);
    run.since = null;
  }
}
