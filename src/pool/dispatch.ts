import type { Logger } from 'pino';
import type { BatchAnswer, RunDone, RunReply, RunStopped, RunTask } from '../../workers/protocol.js';
import type { Admission } from './admission.js';
import { heavyRunMs, type HeavyWorkspaces } from './heavy.js';
import { forLog, mayBeAnothers, stoppedBy } from './loss.js';
import type { Measures } from './measures.js';
import type { Thread } from './thread.js';
import type { Threads } from './threads.js';
import type { RunRequest, WaitingRun } from './waiting.js';

/** The engine stops itself at the run's limit; a thread that has not answered this much later is ended. */
const graceMs = 250;
/** A batch that is not answered by then is stuck in one run; the others are taken back. Ten times what a batch may take. */
const recallMs = 20;

/** Runs that are on a thread together, and what has become of them. */
interface Batch {
  readonly thread: Thread;
  /** Those to be answered; after a recall the one alone that the thread was at. */
  runs: readonly WaitingRun[];
  /** Where the first of `runs` stands in what was sent. */
  from: number;
  readonly sentAt: number;
  readonly endAt: number;
}

export interface DispatchDependencies {
  readonly threads: Threads;
  readonly admission: Admission;
  readonly heavy: HeavyWorkspaces;
  readonly measures: Measures;
  readonly log: Pick<Logger, 'error'>;
  /** The present time limit of a run. */
  readonly timeoutMs: () => number;
  /** Milliseconds of the pool's clock. */
  readonly now: () => number;
}

/** Brings runs to threads, in batches of one workspace where several wait, and their replies back, each run on its own. */
export class Dispatch {
  readonly #threads: Threads;
  readonly #admission: Admission;
  readonly #heavy: HeavyWorkspaces;
  readonly #measures: Measures;
  readonly #log: DispatchDependencies['log'];
  readonly #timeoutMs: () => number;
  readonly #now: () => number;
  readonly #underWay = new Set<Batch>();
  #waking = false;

  constructor({ threads, admission, heavy, measures, log, timeoutMs, now }: DispatchDependencies) {
    this.#threads = threads;
    this.#admission = admission;
    this.#heavy = heavy;
    this.#measures = measures;
    this.#log = log;
    this.#timeoutMs = timeoutMs;
    this.#now = now;
  }

  /** Lets the run wait for a thread, before all others when it had its turn already: to the end of this turn of the event loop if one is idle. */
  begin(run: WaitingRun, { hadTurn }: { readonly hadTurn: boolean }): void {
    this.#admission.wait(run, { hadTurn });
    if (this.#threads.idle === 0) this.#threads.grow(this.#admission.ready);
    else this.#wake();
  }

  /** Gives a thread that has nothing to do what is next; false when nothing waits. */
  offer(thread: Thread): boolean {
    const runs = this.#admission.next(this.#threads.idle, this.#mayTakeHeavy());
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
      for (let thread = this.#threads.take(); thread !== undefined; thread = this.#threads.take()) {
        if (!this.#threads.release(thread)) break;
      }
      // For what found no thread, or may not have the one that is left.
      this.#threads.grow(this.#admission.ready);
    });
  }

  /** Ends threads whose run is past its limit, and takes back what waits behind a slow one. To be called every few milliseconds. */
  check(now: number): void {
    this.#heavy.forget(now);
    for (const batch of this.#underWay) {
      if (now > batch.sentAt + recallMs) this.#recall(batch);
      if (now > batch.sentAt + heavyRunMs) this.#markHeavy(batch, now);
      if (now > batch.endAt) batch.thread.endOverdue();
    }
    this.#threads.spare = this.#heavy.size > 0;
    // What was passed over may go now.
    if (this.#threads.idle > 0 && this.#admission.ready > 0) this.#wake();
  }

  /** Threads that have nothing to do and would take a run of that workspace. */
  idleFor(workspaceId: string): number {
    return this.#heavy.has(workspaceId) && !this.#mayTakeHeavy() ? 0 : this.#threads.idle;
  }

  #markHeavy({ runs }: Batch, now: number): void {
    if (runs[0] !== undefined) this.#heavy.mark(runs[0].workspaceId, now);
  }

  /** Of the heavy workspaces all threads but one at most; and one that is ready is always left for the others. */
  #mayTakeHeavy(): boolean {
    if (this.#heavy.size === 0) return true;
    let heavy = 0;
    for (const { runs } of this.#underWay) if (runs[0] !== undefined && this.#heavy.has(runs[0].workspaceId)) heavy++;
    return heavy < Math.max(1, this.#threads.max - 1) && this.#threads.serving - heavy >= 2;
  }

  #send(thread: Thread, runs: readonly WaitingRun[]): void {
    const timeoutMs = this.#timeoutMs();
    const sentAt = this.#now();
    // Each run has its limit from its own start, but none starts late in a batch: the grace covers the difference.
    const batch: Batch = { thread, runs, from: 0, sentAt, endAt: sentAt + timeoutMs + graceMs };
    this.#underWay.add(batch);
    const heavy = runs[0] !== undefined && this.#heavy.has(runs[0].workspaceId);
    const tasks = runs.map(({ request }) => taskOf(request, timeoutMs));
    thread.run(tasks, { heavy }).then(
      (answer) => this.#answered(batch, answer),
      (error: unknown) => this.#lost(batch, error),
    );
  }

  #answered(batch: Batch, { replies, us, alone }: BatchAnswer): void {
    this.#underWay.delete(batch);
    const { thread, runs, from, sentAt } = batch;
    const now = this.#now();
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
          this.#measures.ran(ms + shareMs, endOf(reply), {
            now,
            onThreadMs: ms,
            workspaceId: run.workspaceId,
          });
          run.trace?.part('pool.run', startedAt, startedAt + ms, faultOf(reply));
        }
        this.#tell(run, reply);
      }
      startedAt += ms;
    });
    const rest = runs.slice(replies.length - from);
    if (alone && rest[0] !== undefined) this.#admission.keepAlone(rest[0].request.programId);
    for (const run of rest) this.begin(run, { hadTurn: true });
    this.#threads.release(thread);
  }

  #tell(run: WaitingRun, reply: RunReply): void {
    if (reply.kind === 'stopped' && reply.detail !== undefined) {
      this.#log.error({ detail: reply.detail }, 'the engine failed on a run');
    }
    run.resolve(reply);
  }

  /**
   * Takes back all runs of the batch but the one that the thread is at. Those before it are over, but their replies are
   * not here and may never be: they run again, which changes nothing, as what may have effects is never in a batch.
   */
  #recall(batch: Batch): void {
    const { thread, runs } = batch;
    if (runs.length === 1) return;
    const at = Math.max(0, thread.stopBatch() - 1);
    thread.served += at;
    batch.runs = runs.slice(at, at + 1);
    batch.from = at;
    runs.forEach((run, index) => {
      if (index !== at) this.begin(run, { hadTurn: true });
    });
  }

  #lost(batch: Batch, error: unknown): void {
    this.#underWay.delete(batch);
    this.#recall(batch);
    const { thread, sentAt } = batch;
    const now = this.#now();
    const ms = now - sentAt;
    const stopped = stoppedBy(thread, error, ms);
    const unclear = mayBeAnothers(thread, stopped);
    if (!unclear) this.#markHeavy(batch, now);
    const { reason } = stopped;
    this.#log.error({ reason, unclear, served: thread.served, ms, ...forLog(error) }, 'a thread was lost under a run');
    const replacement = this.#threads.replace(thread, { reserved: unclear });
    for (const run of batch.runs) {
      this.#waited(run, sentAt);
      if (unclear && replacement !== null) void this.#repeat(run, replacement, stopped);
      else this.#stopped(run, stopped, ms);
    }
  }

  /** The fault may be an earlier run's: the run has one more try, on a thread that nobody else had. */
  async #repeat(run: WaitingRun, thread: Thread, stopped: RunStopped): Promise<void> {
    if (await thread.started) this.#send(thread, [run]);
    else this.#stopped(run, stopped, stopped.engineUs / 1000);
  }

  #stopped(run: WaitingRun, stopped: RunStopped, ms: number): void {
    const now = this.#now();
    this.#measures.ran(ms, stopped.reason, { now, onThreadMs: ms, workspaceId: run.workspaceId });
    run.trace?.part('pool.run', now - ms, now, stopped.reason);
    run.resolve(stopped);
  }

  #waited(run: WaitingRun, until: number): void {
    if (run.since === null) return;
    this.#measures.waited(until - run.since, until);
    run.trace?.part('pool.wait', run.since, until);
    run.since = null;
  }
}

/** Written out for the usual run, as a spread costs more. */
function taskOf(request: RunRequest, timeoutMs: number): RunTask {
  if (request.bundle !== undefined || request.configuration !== undefined) return { ...request, timeoutMs };
  const { programId, workspaceId, configurationId, body, traced } = request;
  return { programId, workspaceId, configurationId, body, traced, timeoutMs };
}

const endOf = (reply: RunDone | RunStopped): 'done' | RunStopped['reason'] =>
  reply.kind === 'done' ? 'done' : reply.reason;

/** For traces, where a model's own fault is one too. */
const faultOf = (reply: RunDone | RunStopped): string | undefined =>
  reply.kind === 'stopped' ? reply.reason : reply.status === 'FAILED' ? 'failed' : undefined;
