import type { Logger } from 'pino';
import type { BatchAnswer, Preparation, ThreadReply } from '../../workers/protocol.js';
import type { PoolObserver } from './observer.js';
import type { Scheduler } from './scheduler.js';
import type { PoolSettings } from './settings.js';
import type { Thread } from './thread.js';
import { forLog, mayBeAnothers, stoppedBy } from './threadFailure.js';
import { messageOf } from './threadMessages.js';
import type { Threads } from './threads.js';
import type { QueuedRun, Turn } from './turn.js';
import { isBackground, slowRunMs, type WorkspaceAccount, type WorkspaceAccounts } from './workspaceAccounts.js';

/** The engine stops itself at the run's limit; a thread that has not answered this much later is ended. */
const graceMs = 250;
/**
 * Milliseconds after which an unanswered batch is stuck in one run and the others are recalled: ten times what a batch
 * may take.
 */
const recallMs = 20;
/** Most milliseconds of one program's compilation before its first run; the largest take less than a tenth of it. */
const maxPreparationMs = 2000;

export interface DispatchDependencies {
  readonly threads: Threads;
  readonly scheduler: Scheduler;
  readonly accounts: WorkspaceAccounts;
  readonly observer: PoolObserver;
  readonly log: Pick<Logger, 'error'>;
  /** It may change. */
  readonly settings: Pick<PoolSettings, 'runTimeoutMs'>;
  /** Milliseconds of the pool's clock. */
  readonly now: () => number;
}

/** Sends runs to threads, in batches of one workspace where several wait, and resolves each run with its own reply. */
export class Dispatch {
  readonly #parts: DispatchDependencies;
  #waking = false;
  #hasServed = false;

  constructor(parts: DispatchDependencies) {
    this.#parts = parts;
  }

  /** Queues the run for a thread. */
  begin(run: QueuedRun): void {
    const { scheduler, threads } = this.#parts;
    scheduler.wait(run);
    if (this.#waking || scheduler.joins(run)) return;
    if (threads.idle + threads.idleLow === 0) threads.grow();
    else this.#wake();
  }

  /** Several requests arrive in one turn of the event loop; sent to a thread together they cost a fraction. */
  #wake(): void {
    this.#waking = true;
    setImmediate(() => {
      this.#waking = false;
      this.#parts.threads.offer();
    });
  }

  /** Gives an idle thread what is next; false when nothing waits for it. */
  offer(thread: Thread): boolean {
    const runs = this.#parts.scheduler.next(thread);
    const [first] = runs;
    if (first !== undefined) this.#send(thread, first.account, runs);
    return first !== undefined;
  }

  /**
   * Ends threads whose run is past its limit, and recalls what waits behind a slow one. To be called every few
   * milliseconds.
   */
  check(now: number): void {
    const { accounts, scheduler, threads } = this.#parts;
    accounts.settle(now);
    for (const turn of scheduler.held) {
      if (now > turn.beganAt + recallMs) this.#recall(turn);
      scheduler.look(turn, now, computedMs(turn, now));
      if (now > turn.endAt) {
        turn.thread.overdue = true;
        void turn.thread.end();
      }
    }
    scheduler.expire(now);
    threads.spare = scheduler.spare(now);
    if (accounts.slow.size === 0 && !scheduler.background.lately(now)) threads.endLow();
    // Runs that were skipped may be allowed now.
    if (scheduler.waiting + scheduler.background.waiting > 0) threads.offer();
  }

  /**
   * Compiles a program on the idle threads, one after the other, but never on the last idle one (another is started
   * first, where the maximum allows it), unless nothing has been served yet. Stops with false where a thread had to be
   * ended.
   */
  async prepare(account: WorkspaceAccount, preparation: Preparation): Promise<boolean> {
    const { now, scheduler, threads } = this.#parts;
    const mayTakeOne = (): boolean => !account.slow && (!this.#hasServed || threads.idle >= 2);
    if (!mayTakeOne()) {
      threads.grow(() => 1);
      await threads.ready();
    }
    for (const thread of threads.idleThreads({ low: false })) {
      if (thread.state !== 'idle' || !mayTakeOne()) continue;
      thread.become('busy');
      const turn = scheduler.hold(thread, account, [], maxPreparationMs);
      await thread.prepare(preparation);
      const endedAt = now();
      scheduler.release(turn, computedMs(turn, endedAt), endedAt);
      if (thread.died || thread.overdue) {
        threads.replace(thread, { reserved: false });
        return false;
      }
      threads.release(thread);
    }
    return true;
  }

  #send(thread: Thread, account: WorkspaceAccount, runs: readonly QueuedRun[]): void {
    const { scheduler, settings } = this.#parts;
    const { runTimeoutMs } = settings;
    // Each run's limit counts from its own start, but a batch begins all its runs within milliseconds: the grace covers
    // that. A piece in the background has two runs, each with its limit, in the last of its cases.
    const withinMs = (isBackground({ account }) ? 2 : 1) * runTimeoutMs + graceMs;
    const turn = scheduler.hold(thread, account, runs, withinMs);
    if (turn.slow) thread.low = true;
    thread.run(messageOf(runs, runTimeoutMs)).then(
      (answer) => this.#answered(turn, answer),
      (error: unknown) => void this.#lost(turn, error),
    );
  }

  #answered(turn: Turn, { replies, us, alone }: BatchAnswer): void {
    const { scheduler, threads } = this.#parts;
    const { thread, runs, beganAt } = turn;
    const now = this.#parts.now();
    scheduler.release(turn, computedMs(turn, now), now);
    const onThreadMs = us.reduce((sum, each) => sum + each, 0) / 1000;
    const shareMs = Math.max(0, now - beganAt - onThreadMs) / replies.length;
    let startedAt = beganAt;
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
    threads.release(thread);
    // What joined that turn may have found another workspace's before it.
    if (scheduler.waiting > 0 && !this.#waking) this.#wake();
  }

  /**
   * Recalls all runs of the batch but the one that the thread is at. Those before it are over, but their replies are
   * not here and may never be: they run again, which is safe, because runs with side effects are never in a batch.
   */
  #recall(turn: Turn): void {
    const { thread, runs } = turn;
    if (runs.length <= 1 || runs.includes(null)) return;
    const at = Math.max(0, thread.stopBatch() - 1);
    thread.served += at;
    turn.runs = runs.map((run, index) => (index === at ? run : null));
    this.#again(runs.filter((_, index) => index !== at));
  }

  /** Queues the runs again, in their order and before the others of their workspace. */
  #again(runs: Turn['runs']): void {
    for (const run of [...runs].reverse()) {
      if (run === null) continue;
      run.hadTurn = true;
      this.begin(run);
    }
  }

  async #lost(turn: Turn, error: unknown): Promise<void> {
    const { log, scheduler, threads } = this.#parts;
    this.#recall(turn);
    const { thread, account, runs, beganAt: startedAt } = turn;
    const now = this.#parts.now();
    const ms = now - startedAt;
    const stopped = stoppedBy(thread, error, ms);
    const { reason } = stopped;
    const unclear = mayBeAnothers(thread, stopped);
    // A lost thread costs at least as much as a slow run.
    scheduler.release(turn, Math.max(unclear ? 0 : slowRunMs, computedMs(turn, now)), now);
    log.error({ reason, unclear, served: thread.served, ms, ...forLog(error) }, 'a thread was lost under a run');
    const fresh = threads.replace(thread, { reserved: unclear });
    // An earlier run may be at fault: this one is tried once more, on a thread that has run nothing else.
    const again = unclear && fresh !== null && (await fresh.started);
    if (again && fresh.state === 'reserved') fresh.become('busy');
    for (const run of runs) {
      if (run === null) continue;
      this.#waited(run, startedAt);
      if (again) this.#send(fresh, account, [run]);
      else this.#end(run, stopped, { startedAt, ms, heldMs: ms });
    }
  }

  /** @param heldMs how long the run held its thread; `ms` of it on the thread itself */
  #end(
    run: QueuedRun,
    reply: ThreadReply,
    { startedAt, ms, heldMs }: Record<'startedAt' | 'ms' | 'heldMs', number>,
  ): void {
    const { accounts, log, now, observer } = this.#parts;
    if (reply.kind !== 'miss' && !isBackground(run)) {
      const end = reply.kind === 'stopped' ? reply.reason : 'done';
      this.#hasServed = true;
      observer.ran(heldMs, end, now());
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
    if (run.since === null) return;
    this.#parts.observer.waited(until - run.since, until);
    run.trace?.part('pool.wait', run.since, until);
    run.since = null;
  }
}

/** Milliseconds that the thread has computed for the turn; 0 where that is less than a slow run. */
const computedMs = ({ thread, beganAt }: Turn, now: number): number =>
  now - beganAt < slowRunMs ? 0 : now - beganAt - thread.waitedMs();
