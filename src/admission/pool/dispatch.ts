import type { Logger } from 'pino';
import type { BatchAnswer, Preparation, ThreadReply } from '../../../workers/protocol.js';
import { slowMs, tickMs } from '../constants.js';
import { computedMs, type Lease } from './leases.js';
import type { PoolObserver, QueuedRun } from './queuedRun.js';
import type { RunQueue, RunQueueParts } from './runQueue.js';
import type { PoolSettings } from './settings.js';
import { forLog, mayBeAnothers, stoppedBy, type Thread } from './thread.js';
import type { Threads } from './threads.js';
import type { WorkspaceAccount } from './workspaceAccounts.js';

/** The engine stops itself at the run's limit; a thread that has not answered this much later is ended. */
const graceMs = 10 * tickMs;
/** Most milliseconds to compile a program before its first run; the largest programs take less than a tenth of that. */
const maxPreparationMs = 10 * slowMs;

interface DispatchParts extends Pick<RunQueueParts, 'accounts' | 'leases' | 'now'> {
  readonly threads: Threads;
  readonly queue: RunQueue;
  readonly observer: PoolObserver;
  readonly log: Pick<Logger, 'error'>;
  /** It may change. */
  readonly settings: Pick<PoolSettings, 'runTimeoutMs'>;
}

/** Sends runs to threads, several of one workspace together where they wait, and resolves each run with its own reply. */
export class Dispatch {
  readonly #parts: DispatchParts;
  #waking = false;
  #hasServed = false;

  constructor(parts: DispatchParts) {
    this.#parts = parts;
  }

  /** Queues the run for a thread. */
  begin(run: QueuedRun): void {
    const { queue, threads } = this.#parts;
    queue.push(run);
    if (this.#waking || queue.joins(run)) return;
    if (threads.idle + threads.idleLow > 0) this.#wake();
    else if (threads.mayGrow) threads.grow(queue.demand());
  }

  /** Several requests arrive in one round of the event loop; sent to a thread together they cost a fraction. */
  #wake(): void {
    this.#waking = true;
    setImmediate(() => {
      this.#waking = false;
      this.offer();
    });
  }

  /**
   * Gives waiting runs to idle threads: to those of low priority first, and always in the same order, so that caches stay warm.
   * Then starts more threads for runs that found none, or may not use those that are idle.
   */
  offer(): void {
    const { queue, threads } = this.#parts;
    for (const low of [true, false]) {
      for (const thread of threads.idleThreads({ low })) {
        thread.state = 'busy';
        if (!this.#next(thread)) break;
      }
    }
    // Demand is only counted where it matters, since that looks at everything that waits.
    if (threads.mayGrow) threads.grow(queue.demand());
  }

  /** Gives a busy thread, whose work is over, its next work. False where there is none, and it is idle or removed. */
  #next(thread: Thread): boolean {
    const { queue, threads } = this.#parts;
    if (!threads.keeps(thread)) return false;
    const runs = queue.next(thread);
    const [first] = runs;
    if (first === undefined) thread.state = 'idle';
    else this.#send(thread, first.account, runs);
    return first !== undefined;
  }

  /**
   * Ends threads whose run is past its limit, and recalls what waits behind a slow one. To be called every few
   * milliseconds.
   */
  check(now: number): void {
    const { accounts, leases, queue, threads } = this.#parts;
    accounts.settle(now);
    for (const lease of leases) {
      if (now > lease.beganAt + tickMs) this.#recall(lease);
      queue.look(lease, computedMs(lease, now), now);
      if (now > lease.endAt) {
        lease.thread.overdue = true;
        void lease.thread.end();
      }
    }
    queue.expire(now);
    threads.overflow = queue.overflow(now);
    if (accounts.slow.size === 0 && !queue.backgroundLately(now)) threads.endLow();
    // Runs that were passed over may be allowed now.
    if (!queue.isEmpty) this.offer();
  }

  /**
   * Compiles a program on the idle threads, one after the other, but never on the last idle one (another is started
   * first, where the maximum allows it), unless nothing has been served yet. Stops with false where a thread had to be
   * ended.
   */
  async prepare(account: WorkspaceAccount, preparation: Preparation): Promise<boolean> {
    const { leases, now, queue, threads } = this.#parts;
    const mayTakeOne = (): boolean => !account.slow && (!this.#hasServed || threads.idle >= 2);
    if (!mayTakeOne()) {
      threads.grow(1);
      await threads.ready();
    }
    for (const thread of threads.idleThreads({ low: false })) {
      if (thread.state !== 'idle' || !mayTakeOne()) continue;
      thread.state = 'busy';
      const lease = leases.begin(thread, account, [], maxPreparationMs);
      await thread.prepare(preparation);
      const endedAt = now();
      queue.release(lease, computedMs(lease, endedAt), endedAt);
      if (thread.died || thread.overdue) {
        threads.replace(thread, { reserved: false });
        return false;
      }
      this.#next(thread);
    }
    return true;
  }

  #send(thread: Thread, account: WorkspaceAccount, runs: readonly QueuedRun[]): void {
    const { leases, settings } = this.#parts;
    const { runTimeoutMs } = settings;
    // Each run's limit counts from its own start, but runs that are sent together all begin within milliseconds: the
    // grace covers that. A piece in the background has two runs, each with its limit, in the last of its cases.
    const withinMs = (account.background ? 2 : 1) * runTimeoutMs + graceMs;
    const lease = leases.begin(thread, account, runs, withinMs);
    if (lease.slow) thread.low = true;
    // Not copied: a spread takes half a microsecond of each run's twenty.
    const tasks = runs.map(({ request }) => Object.assign(request, { timeoutMs: runTimeoutMs }));
    thread.run(tasks).then(
      (answer) => this.#answered(lease, answer),
      (error: unknown) => void this.#lost(lease, error),
    );
  }

  #answered(lease: Lease, { replies, us, alone }: BatchAnswer): void {
    const { queue } = this.#parts;
    const { thread, runs, beganAt } = lease;
    const now = this.#parts.now();
    queue.release(lease, computedMs(lease, now), now);
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
    this.#requeue(runs.slice(replies.length));
    this.#next(thread);
    // What waited to join those runs may have found another workspace's before it.
    if (queue.waiting > 0 && !this.#waking) this.#wake();
  }

  /**
   * Recalls all runs of the lease but the one that the thread is at. Those before it are over, but their replies are
   * not here and may never be: they run again, which is safe, because runs with side effects are always sent alone.
   */
  #recall(lease: Lease): void {
    const { thread, runs } = lease;
    if (runs.length <= 1 || runs.includes(null)) return;
    const at = Math.max(0, thread.stopBatch() - 1);
    thread.served += at;
    lease.runs = runs.map((run, index) => (index === at ? run : null));
    this.#requeue(runs.filter((_, index) => index !== at));
  }

  /** Queues the runs again, in their order and before the others of their workspace. */
  #requeue(runs: Lease['runs']): void {
    for (const run of [...runs].reverse()) {
      if (run === null) continue;
      run.requeued = true;
      this.begin(run);
    }
  }

  async #lost(lease: Lease, error: unknown): Promise<void> {
    const { log, queue, threads } = this.#parts;
    this.#recall(lease);
    const { thread, account, runs, beganAt: startedAt } = lease;
    const now = this.#parts.now();
    const ms = now - startedAt;
    const stopped = stoppedBy(thread, error, ms);
    const { reason } = stopped;
    const unclear = mayBeAnothers(thread, stopped);
    // A lost thread costs at least as much as a slow run.
    queue.release(lease, Math.max(unclear ? 0 : slowMs, computedMs(lease, now)), now);
    log.error({ reason, unclear, served: thread.served, ms, ...forLog(error) }, 'a thread was lost under a run');
    const fresh = threads.replace(thread, { reserved: unclear });
    // An earlier run may be at fault: this one is tried once more, on a thread that has run nothing else.
    const again = unclear && fresh !== null && (await fresh.started);
    if (again && fresh.state === 'reserved') fresh.state = 'busy';
    for (const run of runs) {
      if (run === null) continue;
      this.#waited(run, startedAt);
      run.expectedMs = 0;
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
    const { accounts, log, now, observer, queue } = this.#parts;
    if (reply.kind === 'miss') {
      run.requeued = true;
      queue.fetching.add(run);
    } else if (!run.account.background) {
      const end = reply.kind === 'stopped' ? reply.reason : 'done';
      this.#hasServed = true;
      observer.runEnded(heldMs, end, now());
      accounts.learn(run.pace, heldMs, ms);
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
