import type { Logger } from 'pino';
import type { ModelAnswers, ModelReply, ModelTask } from '../../../workers/models/index.js';
import type { Preparation, RunLimits, RunReply, RunStopped, RunTask, ThreadReply } from '../../../workers/protocol.js';
import { every, pause, within } from '../../clock/timers.js';
import { maxRemembered, maxTogether, slowMs, spareMs, tickMs } from '../constants.js';
import { ByteBudget } from '../byteBudget.js';
import { AnswerBytes } from './answerBytes.js';
import { Dispatch } from './dispatch.js';
import { Leases } from './leases.js';
import type { PoolObserver, QueuedRun, RunOptions, RunRequest } from './queuedRun.js';
import { RunQueue } from './runQueue.js';
import {
  changedSettings,
  settingsOf,
  type PoolChanges,
  type PoolConfig,
  type PoolSettings,
  type PoolStatus,
} from './settings.js';
import { Threads } from './threads.js';
import { workerFile } from './workerFile.js';
import { inBackground, WorkspaceAccounts, type Caller } from './workspaceAccounts.js';

/**
 * How long the drain waits for threads that were ended. A thread in native code exits only when that returns, which may
 * take minutes.
 */
const exitMs = 1000;

export interface PoolDependencies {
  readonly config: PoolConfig;
  /** Limits of each run besides time and heap. */
  readonly limits: RunLimits;
  readonly log: Pick<Logger, 'error'>;
  readonly observer: PoolObserver;
  /** Answers of threads are reserved in it; without a bound where it is left out. */
  readonly budget?: ByteBudget;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** The file that threads run; the engine unless a test says otherwise. */
  readonly worker?: URL;
  /** How long threads beyond the maximum stay after their last need, in milliseconds. */
  readonly overflowMs?: number;
}

/**
 * Runs decisions on worker threads: bounded, fair between workspaces, each run within its time and memory or not at all.
 * A run goes one way: it is admitted, waits in the queue, is sent to a thread, and has its reply. The pool starts its
 * first threads at once; `drain` ends them.
 */
export class Pool {
  readonly #settings: PoolSettings;
  readonly #budget: ByteBudget;
  readonly #answerBytes: AnswerBytes;
  readonly #accounts: WorkspaceAccounts;
  readonly #threads: Threads;
  readonly #queue: RunQueue;
  readonly #dispatch: Dispatch;
  readonly #stopClock: () => void;
  readonly #drainMs: number;
  readonly #now: () => number;
  #open = 0;
  #heldBack = 0;
  #draining = false;
  #quiet = (): void => undefined;

  constructor(dependencies: PoolDependencies) {
    const { config, limits, log, observer, worker = workerFile, overflowMs = spareMs } = dependencies;
    const { now = () => performance.now(), budget = new ByteBudget(Number.MAX_SAFE_INTEGER) } = dependencies;
    this.#budget = budget;
    this.#answerBytes = new AnswerBytes(budget);
    const accounts = (this.#accounts = new WorkspaceAccounts(budget.owners));
    this.#now = now;
    // The other half of the time is for writing the records.
    this.#drainMs = config.shutdownTimeoutMs / 2;
    const settings = (this.#settings = settingsOf(config));
    const threads = (this.#threads = new Threads({
      worker,
      maxHeapMb: config.runMaxHeapMb,
      limits,
      settings,
      onReady: () => this.#dispatch.offer(),
      onReplace: () => observer.restarted(),
      log,
    }));
    const leases = new Leases({ settings, threads, now });
    const shared = { settings, observer, accounts, leases, threads, now };
    const queue = (this.#queue = new RunQueue({ ...shared, config, overflowMs }));
    const dispatch = (this.#dispatch = new Dispatch({ ...shared, queue, log }));
    // Timers fire before messages are read: after the event loop was blocked, answers that have arrived are to be read
    // first.
    this.#stopClock = every(tickMs, () => setImmediate(() => dispatch.check(now())));
  }

  /** Resolves when the first threads can take runs; runs that come before wait. */
  ready(): Promise<void> {
    return this.#threads.ready();
  }

  /**
   * Admits a run, which is then to be sent, and ended in any case. Throws or rejects with `overloaded` where there is no
   * room for it.
   */
  admit(request: RunRequest, options: RunOptions = {}): QueuedRun | Promise<never> {
    return this.#admit(this.#accounts.callerOf(request.workspaceId, request.programId), request, options);
  }

  /**
   * Has a thread of its own do an admitted run. Model faults, limits and deaths of the thread are replies. A miss says what
   * the thread lacks: nothing was run, and the run is to be sent again with that; it goes before the others of its
   * workspace then. Rejects with `overloaded` when nothing was run.
   */
  send(run: QueuedRun, lacked?: Pick<RunTask, 'bundle' | 'configuration'>): Promise<RunReply> {
    this.#queue.fetching.delete(run);
    if (lacked !== undefined) run.request = { ...run.request, ...lacked };
    // A run is not answered as work on a model.
    return this.#reply(run) as Promise<RunReply>;
  }

  /** An admitted run is over, whether or not it was sent. */
  end(run: QueuedRun): void {
    this.#queue.fetching.delete(run);
    this.#close();
  }

  /**
   * Has a thread read, check or test a model, as work of that workspace and by the same rules as its runs. Where that was
   * stopped by a limit, the answer says so. Rejects with `overloaded` when nothing was done.
   */
  work<K extends ModelTask['kind']>(
    workspaceId: string,
    task: Extract<ModelTask, { kind: K }>,
  ): Promise<ModelAnswers[K] | RunStopped> {
    const caller = this.#accounts.callerOf(workspaceId, task.kind);
    // Tasks on models are never batched: each may take some milliseconds.
    caller.pace.alone = true;
    return this.#work<K>(caller, task);
  }

  /**
   * Runs background work, a piece at a time. A piece begins when no run waits for a thread, on threads of low priority, and the
   * next piece is that of the workspace whose pieces have used these threads for the least time. It counts neither in
   * metrics nor as time that the workspace's runs have used. Rejects with `overloaded` when the server stops.
   */
  background<K extends ModelTask['kind']>(
    task: Extract<ModelTask, { kind: K }> & { readonly workspaceId: string },
  ): Promise<ModelAnswers[K] | RunStopped> {
    return this.#work<K>(inBackground(this.#budget.owners.of(task.workspaceId)), task);
  }

  /** Throws or rejects with `overloaded` where a run of that program would be refused now. */
  requireRoom(workspaceId: string, programId: string): Promise<never> | undefined {
    return this.#refuse(this.#accounts.callerOf(workspaceId, programId));
  }

  /** How many runs of that program take about so many milliseconds on a thread, by what recent ones took; 1 to 64. */
  runsWithin(ms: number, workspaceId: string, programId: string): number {
    const { onThreadMs } = this.#accounts.callerOf(workspaceId, programId).pace;
    return Math.max(1, Math.floor(Math.min(maxTogether, ms / onThreadMs)));
  }

  /**
   * Compiles a program before a run needs it, as work of that workspace: on idle threads, while the workspace is not
   * slow. False where that took too long and a thread had to be ended. Never rejects; for one program at a time.
   */
  async prepare(preparation: Preparation): Promise<boolean> {
    if (this.#draining) return true;
    this.#open++;
    const inTime = await this.#dispatch.prepare(this.#accounts.of(preparation.workspaceId), preparation);
    this.#close();
    return inTime;
  }

  async #work<K extends ModelTask['kind']>(caller: Caller, task: ModelTask): Promise<ModelAnswers[K] | RunStopped> {
    const { owner, background } = caller.account;
    const held = background
      ? await this.#answerBytes.reserveLater(owner, task)
      : this.#answerBytes.reserve(owner, task);
    try {
      const answer = await this.#answerOf(caller, task);
      if (!('reason' in answer)) this.#answerBytes.learn(owner, task, answer);
      // The answer is that of the task's kind.
      return answer as ModelAnswers[K] | RunStopped;
    } finally {
      held.release();
    }
  }

  async #answerOf(caller: Caller, task: ModelTask): Promise<ModelReply['answer'] | RunStopped> {
    const admission = this.#admit(caller, task, {});
    const run = admission instanceof Promise ? await admission : admission;
    try {
      const reply = await this.#reply(run);
      if (reply.kind === 'stopped') return reply;
      if (reply.kind !== 'worked') throw new Error('work on a model was answered as a run');
      return reply.answer;
    } finally {
      this.end(run);
    }
  }

  #admit(
    caller: Caller,
    request: QueuedRun['request'],
    { gone = never, trace }: RunOptions,
  ): QueuedRun | Promise<never> {
    const refused = this.#refuse(caller);
    if (refused !== undefined) return refused;
    this.#open++;
    const { account, pace } = caller;
    const since = account.background ? null : this.#now();
    return {
      account,
      pace,
      request,
      gone,
      trace,
      since,
      requeued: false,
      queuedAt: 0,
      expectedMs: 0,
      resolve: nobodyWaits,
      reject: nobodyWaits,
    };
  }

  #reply(run: QueuedRun): Promise<ThreadReply> {
    return new Promise((resolve, reject) => {
      run.resolve = resolve;
      run.reject = reject;
      this.#dispatch.begin(run);
    });
  }

  /** Throws or rejects with `overloaded` where there is no room for the caller's run. Undefined, without a promise, where there is. */
  #refuse(caller: Caller): Promise<never> | undefined {
    if (this.#draining) throw this.#queue.draining();
    const refusal = this.#queue.refusalOf(caller);
    if (refusal === undefined) return undefined;
    if (!caller.account.slow || this.#heldBack >= maxRemembered) throw refusal;
    // Clients that are refused at once retry at once, and the refusals would keep others waiting.
    this.#heldBack++;
    return pause(slowMs / 2).then(() => {
      this.#heldBack--;
      throw refusal;
    });
  }

  /**
   * Changes the given settings, at once and without losing a run. Throws `validation_failed` where the minimum is above
   * the maximum.
   */
  resize(changes: PoolChanges): void {
    Object.assign(this.#settings, changedSettings(this.#settings, changes));
    this.#threads.resize();
    this.#dispatch.offer();
  }

  settings(): PoolSettings {
    return { ...this.#settings };
  }

  status(): PoolStatus {
    const { size: threads, busy, idle } = this.#threads;
    return { threads, busy, idle, waiting: this.#queue.waiting, ...this.#settings };
  }

  /**
   * Takes no more runs, finishes those it has, and ends the threads; what is not over after `withinMs` is ended too.
   * False where a thread is still there.
   */
  async drain(withinMs: number = this.#drainMs): Promise<boolean> {
    this.#draining = true;
    this.#budget.endWaits();
    const quiet = new Promise<void>((resolve) => (this.#quiet = resolve));
    if (this.#open > 0) await within(withinMs, quiet, () => undefined);
    this.#queue.close();
    this.#stopClock();
    return this.endThreads(exitMs);
  }

  /**
   * Ends all threads, whatever they are doing. False where one has not exited in time, because it is in native code.
   */
  endThreads(withinMs: number): Promise<boolean> {
    const exited = this.#threads.close().then(() => true);
    return within(withinMs, exited, () => false);
  }

  #close(): void {
    if (--this.#open === 0) this.#quiet();
  }
}

const never = (): boolean => false;
const nobodyWaits = (): void => undefined;
