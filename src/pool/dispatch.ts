import type { Logger } from 'pino';
import type { ModelReply, ModelTask } from '../../workers/models/index.js';
import type { BatchAnswer, Preparation, RunDone, RunStopped, ThreadReply, ThreadTask } from '../../workers/protocol.js';
import type { QueuedRun, RunRequest } from './queuedRun.js';
import type { Holding, Scheduler } from './scheduler.js';
import type { PoolStats } from './stats.js';
import type { Thread } from './thread.js';
import { forLog, mayBeAnothers, stoppedBy } from './threadFailure.js';
import type { Threads } from './threads.js';
import { slowRunMs, type WorkspaceAccount, type WorkspaceAccounts } from './workspaceAccounts.js';

/** The engine stops itself at the run's limit; a thread that has not answered this much later is ended. */
const graceMs = 250;
/** A batch that is not answered by then is stuck in one run; the others are taken back. Ten times what a batch may take. */
const recallMs = 20;

/** Work that is on a thread, and what has become of it. */
interface Batch {
  readonly thread: Thread;
  readonly holding: Holding;
  /** Those to be answered; after a recall the one alone that the thread was at. None of a preparation. */
  runs: readonly QueuedRun[];
  /** Where the first of `runs` stands in what was sent. */
  from: number;
  readonly sentAt: number;
  readonly endAt: number;
  /** The thread's `waitedMs` at the start; for runs that share a batch, which never wait, unknown until the first look. */
  waitedMs: number | null;
}

export interface DispatchDependencies {
  readonly threads: Threads;
  readonly scheduler: Scheduler;
  readonly accounts: WorkspaceAccounts;
  readonly stats: PoolStats;
  readonly log: Pick<Logger, 'error'>;
  /** The present time limit of a run. */
  readonly timeoutMs: () => number;
  /** Milliseconds of the pool's clock. */
  readonly now: () => number;
}

/** Brings runs to threads, in batches of one workspace where several wait, and their replies back, each run on its own. */
export class Dispatch {
  readonly #parts: DispatchDependencies;
  readonly #underWay = new Set<Batch>();
  #waking = false;

  constructor(parts: DispatchDependencies) {
    this.#parts = parts;
  }

  /** Lets the run wait for a thread, before all others when it had its turn already: to the end of this turn of the event loop if one is idle. */
  begin(run: QueuedRun, { hadTurn }: { readonly hadTurn: boolean }): void {
    this.#parts.scheduler.wait(run, { hadTurn });
    if (this.#parts.threads.idle + this.#parts.threads.idleLow === 0)
      this.#parts.threads.grow(this.#parts.scheduler.demand);
    else this.#wake();
  }

  /** Gives a thread that has nothing to do what is next; false when nothing waits for it. */
  offer(thread: Thread): boolean {
    const runs = this.#parts.scheduler.next(thread);
    if (runs.length === 0) return false;
    this.#send(thread, runs);
    return true;
  }

  /** Requests come several to a turn of the event loop; on their way to a thread together they cost a fraction. */
  #wake(): void {
    if (this.#waking) return;
    this.#waking = true;
    setImmediate(() => {
      this.#waking = false;
      for (const low of [true, false]) {
        for (
          let thread = this.#parts.threads.take({ low });
          thread !== undefined;
          thread = this.#parts.threads.take({ low })
        ) {
          if (!this.#parts.threads.release(thread)) break;
        }
      }
      // For what found no thread, or may not have the one that is left.
      this.#parts.threads.grow(this.#parts.scheduler.demand);
    });
  }

  /** Ends threads whose run is past its limit, and takes back what waits behind a slow one. To be called every few milliseconds. */
  check(now: number): void {
    for (const batch of this.#underWay) {
      batch.waitedMs ??= batch.thread.waitedMs();
      if (now > batch.sentAt + recallMs) this.#recall(batch);
      this.#look(batch, now);
      if (now > batch.endAt) batch.thread.endOverdue();
    }
    this.#parts.accounts.settle(now);
    this.#parts.threads.spare = this.#parts.scheduler.spare(now);
    if (this.#parts.accounts.slow.size === 0) this.#parts.threads.endLow();
    // What was passed over may go now.
    if (this.#parts.threads.idle + this.#parts.threads.idleLow > 0 && this.#parts.scheduler.ready > 0) this.#wake();
  }

  /**
   * Compiles a program on the threads that have nothing to do, one after the other, but never on the last one that serves
   * (another is started first, where there may be one), unless nothing is served yet. False, and nothing more is done,
   * where a thread had to be ended.
   */
  async prepare(account: WorkspaceAccount, preparation: Preparation, withinMs: number): Promise<boolean> {
    const serves = this.#parts.stats.served > 0;
    if (serves && !this.#parts.scheduler.canSpareOne()) {
      this.#parts.threads.grow(() => 1);
      await this.#parts.threads.ready();
    }
    for (const thread of this.#parts.threads.idleThreads()) {
      if (account.slow || (serves && !this.#parts.scheduler.canSpareOne()) || !this.#parts.threads.takeThis(thread))
        continue;
      const batch = this.#enter(thread, [], this.#parts.scheduler.hold([], account), withinMs);
      await thread.prepare(preparation);
      this.#leave(batch, this.#computedMs(batch, this.#parts.now()));
      if (thread.state === 'ended') {
        this.#parts.threads.replace(thread, { reserved: false });
        return false;
      }
      this.#parts.threads.release(thread);
    }
    return true;
  }

  #send(thread: Thread, runs: readonly QueuedRun[]): void {
    const [first] = runs;
    if (first === undefined) return;
    const timeoutMs = this.#parts.timeoutMs();
    // Each run has its limit from its own start, but none starts late in a batch: the grace covers the difference.
    const holding = this.#parts.scheduler.hold(runs, first.account);
    if (holding.slow) thread.low = true;
    const batch = this.#enter(thread, runs, holding, timeoutMs + graceMs);
    const tasks = runs.map(({ request }) => taskOf(request, timeoutMs));
    thread.run(tasks).then(
      (answer) => this.#answered(batch, answer),
      (error: unknown) => this.#lost(batch, error),
    );
  }

  #enter(thread: Thread, runs: readonly QueuedRun[], holding: Holding, withinMs: number): Batch {
    const sentAt = this.#parts.now();
    const waitedMs = runs.length > 1 ? null : thread.waitedMs();
    const batch: Batch = { thread, holding, runs, from: 0, sentAt, endAt: sentAt + withinMs, waitedMs };
    this.#underWay.add(batch);
    return batch;
  }

  #leave(batch: Batch, owedMs: number): void {
    this.#underWay.delete(batch);
    this.#parts.scheduler.release(batch.holding, owedMs, this.#parts.now());
  }

  #look(batch: Batch, now: number): void {
    this.#parts.scheduler.look(batch.holding, now - batch.sentAt, () => this.#computedMs(batch, now));
  }

  /** What the thread has computed for the batch; 0 where it can't be much. */
  #computedMs({ thread, sentAt, waitedMs }: Batch, now: number): number {
    if (now - sentAt < slowRunMs) return 0;
    return now - sentAt - (waitedMs === null ? 0 : thread.waitedMs() - waitedMs);
  }

  #answered(batch: Batch, { replies, us, alone }: BatchAnswer): void {
    const { thread, runs, from, sentAt } = batch;
    const now = this.#parts.now();
    this.#leave(batch, this.#computedMs(batch, now));
    const onThreadMs = us.reduce((sum, each) => sum + each, 0) / 1000;
    const shareMs = Math.max(0, now - sentAt - onThreadMs) / replies.length;
    let startedAt = sentAt;
    replies.forEach((reply, index) => {
      const ms = (us[index] ?? 0) / 1000;
      const run = runs[index - from];
      if (run !== undefined) {
        thread.served++;
        this.#waited(run, startedAt);
        if (reply.kind !== 'miss') {
          this.#parts.stats.ran(ms + shareMs, endOf(reply), now);
          this.#parts.accounts.ran(run.pace, ms + shareMs, ms);
          run.trace?.part('pool.run', startedAt, startedAt + ms, faultOf(reply));
        }
        this.#tell(run, reply);
      }
      startedAt += ms;
    });
    const rest = runs.slice(replies.length - from);
    if (alone && rest[0] !== undefined) rest[0].pace.alone = true;
    for (const run of rest) this.begin(run, { hadTurn: true });
    this.#parts.threads.release(thread);
  }

  #tell(run: QueuedRun, reply: ThreadReply): void {
    if (reply.kind === 'stopped' && reply.detail !== undefined) {
      this.#parts.log.error({ detail: reply.detail }, 'the engine failed on a run');
    }
    run.resolve(reply);
  }

  /**
   * Takes back all runs of the batch but the one that the thread is at. Those before it are over, but their replies are
   * not here and may never be: they run again, which changes nothing, as what may have effects is never in a batch.
   */
  #recall(batch: Batch): void {
    const { thread, runs } = batch;
    if (runs.length <= 1) return;
    const at = Math.max(0, thread.stopBatch() - 1);
    thread.served += at;
    batch.runs = runs.slice(at, at + 1);
    batch.from = at;
    runs.forEach((run, index) => {
      if (index !== at) this.begin(run, { hadTurn: true });
    });
  }

  #lost(batch: Batch, error: unknown): void {
    this.#recall(batch);
    const { thread, sentAt } = batch;
    const now = this.#parts.now();
    const ms = now - sentAt;
    const stopped = stoppedBy(thread, error, ms);
    const unclear = mayBeAnothers(thread, stopped);
    const computedMs = this.#computedMs(batch, now);
    // A thread is worth a slow run.
    this.#leave(batch, unclear ? computedMs : Math.max(slowRunMs, computedMs));
    const { reason } = stopped;
    this.#parts.log.error(
      { reason, unclear, served: thread.served, ms, ...forLog(error) },
      'a thread was lost under a run',
    );
    const replacement = this.#parts.threads.replace(thread, { reserved: unclear });
    for (const run of batch.runs) {
      this.#waited(run, sentAt);
      if (unclear && replacement !== null) void this.#repeat(run, replacement, stopped);
      else this.#stopped(run, stopped, ms);
    }
  }

  /** The fault may be an earlier run's: the run has one more try, on a thread that nobody else had. */
  async #repeat(run: QueuedRun, thread: Thread, stopped: RunStopped): Promise<void> {
    if (await thread.started) this.#send(thread, [run]);
    else this.#stopped(run, stopped, stopped.engineUs / 1000);
  }

  #stopped(run: QueuedRun, stopped: RunStopped, ms: number): void {
    const now = this.#parts.now();
    this.#parts.stats.ran(ms, stopped.reason, now);
    this.#parts.accounts.ran(run.pace, ms, ms);
    run.trace?.part('pool.run', now - ms, now, stopped.reason);
    run.resolve(stopped);
  }

  #waited(run: QueuedRun, until: number): void {
    if (run.since === null) return;
    this.#parts.stats.waited(until - run.since, until);
    run.trace?.part('pool.wait', run.since, until);
    run.since = null;
  }
}

/** Written out for the usual run, as a spread costs more. */
function taskOf(request: RunRequest | ModelTask, timeoutMs: number): ThreadTask {
  if ('kind' in request) return { ...request, timeoutMs };
  if (request.bundle !== undefined || request.configuration !== undefined) return { ...request, timeoutMs };
  const { programId, workspaceId, configurationId, body, traced } = request;
  return { programId, workspaceId, configurationId, body, traced, timeoutMs };
}

const endOf = (reply: RunDone | RunStopped | ModelReply): 'done' | RunStopped['reason'] =>
  reply.kind === 'stopped' ? reply.reason : 'done';

/** For traces, where a model's own fault is one too. */
const faultOf = (reply: RunDone | RunStopped | ModelReply): string | undefined =>
  reply.kind === 'stopped' ? reply.reason : reply.kind === 'done' && reply.status === 'FAILED' ? 'failed' : undefined;
