import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelAnswers, ModelTask } from '../../workers/models/index.js';
import type { Preparation, RunDone, RunStopped, ThreadReply } from '../../workers/protocol.js';
import type { PoolDependencies, RunOptions } from './dependencies.js';
import { Dispatch } from './dispatch.js';
import { processMemory } from './memory.js';
import { inBackground, type QueuedRun, type RunRequest } from './queuedRun.js';
import { maxBatch, Scheduler } from './scheduler.js';
import { changedSettings, type PoolChanges } from './settings.js';
import { PoolStats } from './stats.js';
import type { PoolSettings, PoolStatus } from './status.js';
import { Threads } from './threads.js';
import { workerFile } from './workerFile.js';
import { WorkspaceAccounts } from './workspaceAccounts.js';

/** How often deadlines and waits are checked, in milliseconds: one timer for all runs. */
const tickMs = 25;
/** A run may miss its program on one thread, then its configuration on another. */
const maxMisses = 2;
/** How long the refusal of a slow workspace is delayed, in milliseconds, and how many at once. */
const holdBackMs = 100;
const maxHeldBack = 1000;
/** How long threads beyond the maximum stay after their last need: starting one costs a tenth of a second of a core. */
const spareMs = 10_000;
/** Most milliseconds of one program's compilation before its first run; the largest take less than a tenth of it. */
const maxPreparationMs = 2000;
/**
 * How long the drain waits for threads that were ended. A thread in native code exits only when that returns, which may
 * take minutes.
 */
const exitMs = 1000;

/** Who asks for a turn. */
type Caller = Omit<QueuedRun, 'request' | 'resolve' | 'reject' | 'since'>;

/** Runs decisions on worker threads: bounded, fair between workspaces, each run within its time and memory or not at all. */
export class Pool {
  readonly #stats: PoolStats;
  readonly #accounts = new WorkspaceAccounts();
  readonly #threads: Threads;
  readonly #scheduler: Scheduler;
  readonly #dispatch: Dispatch;
  readonly #clock: NodeJS.Timeout;
  readonly #drainMs: number;
  readonly #now: () => number;
  #open = 0;
  #heldBack = 0;
  #draining = false;
  #quiet = (): void => undefined;

  constructor(dependencies: PoolDependencies) {
    const { config, limits, log, observer, worker, now = () => performance.now() } = dependencies;
    const accounts = this.#accounts;
    this.#now = now;
    // The other half of the time is for writing the records.
    this.#drainMs = config.shutdownTimeoutMs / 2;
    const stats = (this.#stats = new PoolStats(observer));
    const threads = (this.#threads = new Threads({
      worker: worker ?? workerFile,
      maxHeapMb: config.runMaxHeapMb,
      limits,
      min: config.poolMinThreads,
      max: config.poolMaxThreads,
      offer: (thread) => this.#dispatch.offer(thread),
      onReplace: () => stats.restarted(),
      log,
    }));
    const { poolMaxQueue: maxQueue, poolMaxQueuePerWorkspace: maxQueuePerWorkspace, poolMaxWaitMs: maxWaitMs } = config;
    const scheduler = (this.#scheduler = new Scheduler(
      { maxQueue, maxQueuePerWorkspace, maxWaitMs },
      { stats, accounts, threads, now, spareMs: dependencies.spareMs ?? spareMs },
    ));
    const { runTimeoutMs } = config;
    const dispatch = (this.#dispatch = new Dispatch({ threads, scheduler, accounts, stats, log, runTimeoutMs, now }));
    // Timers fire before messages are read: after the event loop was blocked, answers that have arrived are to be read
    // first.
    this.#clock = setInterval(() => setImmediate(() => dispatch.check(now())), tickMs).unref();
  }

  /** Resolves when the first threads can take runs; runs that come before wait. */
  ready(): Promise<void> {
    return this.#threads.ready();
  }

  /**
   * Runs one task on a thread of its own. Model faults, limits and deaths of the thread are replies.
   * Rejects with `overloaded` when nothing was run, and with what `provide` rejects with.
   */
  async run(
    workspaceId: string,
    request: RunRequest,
    { provide, gone = never, trace }: RunOptions,
  ): Promise<RunDone | RunStopped> {
    const { account, pace } = this.#accountsOf(workspaceId, request.programId);
    const caller: Caller = { workspaceId, account, pace, gone, trace, background: false };
    const refused = this.#admit(caller);
    if (refused !== undefined) await refused;
    this.#open++;
    try {
      let task = request;
      for (let misses = 0; ; misses++) {
        const reply = await this.#reply(caller, task, { hadTurn: misses > 0 });
        if (reply.kind === 'worked') throw new Error('a run was answered as work on a model');
        if (reply.kind !== 'miss') return reply;
        if (misses === maxMisses) throw new Error(`a thread still lacks what it was given: ${JSON.stringify(reply)}`);
        task = { ...task, ...(await this.#scheduler.away(provide(reply))) };
      }
    } finally {
      this.#close();
    }
  }

  /**
   * Has a thread read, check or test a model, as work of that workspace and by the same rules as its runs. Where that was
   * stopped by a limit, the answer says so. Rejects with `overloaded` when nothing was done.
   */
  async work<K extends ModelTask['kind']>(
    workspaceId: string,
    task: Extract<ModelTask, { kind: K }>,
  ): Promise<ModelAnswers[K] | RunStopped> {
    const caller = { ...this.#accountsOf(workspaceId, task.kind), gone: never, trace: undefined, background: false };
    // Such tasks are never batched: each may take some milliseconds.
    caller.pace.alone = true;
    const refused = this.#admit(caller);
    if (refused !== undefined) await refused;
    this.#open++;
    try {
      // The answer is that of the task's kind.
      return answerOf(await this.#reply(caller, task, { hadTurn: false })) as ModelAnswers[K] | RunStopped;
    } finally {
      this.#close();
    }
  }

  /**
   * The same for work that nobody waits for, a piece at a time: it is begun when no run waits for a thread, on threads that
   * give way to all others, is charged to nobody and counted nowhere. Rejects with `overloaded` when the server stops.
   */
  async background<K extends ModelTask['kind']>(
    workspaceId: string,
    task: Extract<ModelTask, { kind: K }>,
  ): Promise<ModelAnswers[K] | RunStopped> {
    if (this.#draining) throw this.#scheduler.draining();
    this.#open++;
    try {
      const reply = await this.#reply({ workspaceId, ...inBackground }, task, { hadTurn: false });
      return answerOf(reply) as ModelAnswers[K] | RunStopped;
    } finally {
      this.#close();
    }
  }

  /** Throws or rejects with `overloaded` where a run of that program would be refused now. */
  requireRoom(workspaceId: string, programId: string): Promise<never> | undefined {
    return this.#admit({
      ...this.#accountsOf(workspaceId, programId),
      gone: never,
      trace: undefined,
      background: false,
    });
  }

  /** How many runs of that program take about so many milliseconds on a thread, by what they took of late; 1 to 64. */
  runsWithin(ms: number, workspaceId: string, programId: string): number {
    const { onThreadMs } = this.#accountsOf(workspaceId, programId).pace;
    return Math.max(1, Math.floor(Math.min(maxBatch, ms / onThreadMs)));
  }

  #accountsOf(workspaceId: string, kind: string): Pick<QueuedRun, 'workspaceId' | 'account' | 'pace'> {
    const account = this.#accounts.of(workspaceId);
    return { workspaceId, account, pace: this.#accounts.paceOf(account, kind) };
  }

  /**
   * Admission: throws or rejects with `overloaded`. Undefined where the run is admitted, which saves every run a
   * promise.
   */
  #admit(caller: Caller): Promise<never> | undefined {
    if (this.#draining) throw this.#scheduler.draining();
    try {
      this.#scheduler.check(caller);
      return undefined;
    } catch (refusal) {
      if (!caller.account.slow) throw refusal;
      return this.#holdBack().then(() => Promise.reject(refusal as Error));
    }
  }

  #reply(
    { workspaceId, account, pace, gone, trace, background }: Caller,
    request: QueuedRun['request'],
    { hadTurn }: { readonly hadTurn: boolean },
  ): Promise<ThreadReply> {
    return new Promise((resolve, reject) => {
      const since = hadTurn ? null : this.#now();
      const run = { workspaceId, account, pace, request, background, gone, trace, resolve, reject, since };
      this.#dispatch.begin(run, { hadTurn });
    });
  }

  /** Delays a refusal: clients that are refused at once retry at once, and the refusals would keep others waiting. */
  async #holdBack(): Promise<void> {
    if (this.#heldBack >= maxHeldBack) return;
    this.#heldBack++;
    await sleep(holdBackMs, undefined, { ref: false });
    this.#heldBack--;
  }

  /**
   * Compiles a program before a run needs it, as work of that workspace: on idle threads, while the workspace is not
   * slow. False where that took too long and a thread had to be ended. Never rejects; for one program at a time.
   */
  async prepare(preparation: Preparation): Promise<boolean> {
    if (this.#draining) return true;
    const account = this.#accounts.of(preparation.workspaceId);
    this.#open++;
    const inTime = await this.#dispatch.prepare(account, preparation, maxPreparationMs);
    this.#close();
    return inTime;
  }

  /**
   * Changes the given settings, at once and without losing a run. Throws `validation_failed` where the minimum is above
   * the maximum.
   */
  resize(changes: PoolChanges): void {
    const { minThreads, maxThreads, maxQueue, runTimeoutMs } = changedSettings(this.settings(), changes);
    this.#scheduler.limits.maxQueue = maxQueue;
    this.#dispatch.runTimeoutMs = runTimeoutMs;
    this.#threads.resize(minThreads, maxThreads);
    this.#threads.grow(() => this.#scheduler.demand());
  }

  settings(): PoolSettings {
    return {
      minThreads: this.#threads.min,
      maxThreads: this.#threads.max,
      maxQueue: this.#scheduler.limits.maxQueue,
      runTimeoutMs: this.#dispatch.runTimeoutMs,
    };
  }

  status(): PoolStatus {
    const { served, rejected, timedOut, restarts } = this.#stats;
    return {
      threads: this.#threads.size,
      busy: this.#threads.busy,
      idle: this.#threads.idle,
      waiting: this.#scheduler.waiting,
      ...this.settings(),
      served,
      rejected,
      timedOut,
      restarts,
      ...this.#stats.quantiles(this.#now()),
      memory: processMemory(),
    };
  }

  /**
   * Takes no more runs, finishes those it has, and ends the threads; what is not over after `withinMs` is ended too.
   * False where a thread is still there.
   */
  async drain(withinMs: number = this.#drainMs): Promise<boolean> {
    this.#draining = true;
    const quiet = new Promise<void>((resolve) => (this.#quiet = resolve));
    if (this.#open > 0) await Promise.race([quiet, sleep(withinMs, undefined, { ref: false })]);
    this.#scheduler.close();
    clearInterval(this.#clock);
    return this.endThreads(exitMs);
  }

  /**
   * Ends all threads, whatever they are doing. False where one has not exited in time, because it is in native code.
   */
  endThreads(withinMs: number): Promise<boolean> {
    const exited = this.#threads.close().then(() => true);
    return Promise.race([exited, sleep(withinMs, false, { ref: false })]);
  }

  #close(): void {
    if (--this.#open === 0) this.#quiet();
  }
}

const never = (): boolean => false;

/** The pool starts its first threads at once; `drain` ends them. */
export function createPool(dependencies: PoolDependencies): Pool {
  return new Pool(dependencies);
}

function answerOf(reply: ThreadReply): ModelAnswers[ModelTask['kind']] | RunStopped {
  if (reply.kind === 'stopped') return reply;
  if (reply.kind !== 'worked') throw new Error('work on a model was answered as a run');
  return reply.answer;
}
