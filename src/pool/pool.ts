import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type {
  Preparation,
  RunDone,
  RunLimits,
  RunMiss,
  RunReply,
  RunStopped,
  RunTask,
} from '../../workers/protocol.js';
import type { Config } from '../config/config.js';
import type { RequestTrace } from '../tracing/requestTrace.js';
import { Admission } from './admission.js';
import { Dispatch } from './dispatch.js';
import { HeavyWorkspaces } from './heavy.js';
import { Measures, type PoolObserver } from './measures.js';
import { processMemory } from './memory.js';
import { changedSettings, type PoolChanges } from './settings.js';
import type { PoolSettings, PoolStatus } from './status.js';
import { Threads } from './threads.js';
import type { RunRequest, WaitingRun } from './waiting.js';

/** How often deadlines and waits are looked at while there are any: one timer for all runs. */
const tickMs = 25;
/** A run can lack its program, then its configuration on another thread. */
const maxMisses = 2;
/** How long a refusal of a heavy workspace is held back, and how many at once. */
const slowDownMs = 100;
const maxSlowed = 1000;

export type PoolConfig = Pick<
  Config,
  | 'poolMinThreads'
  | 'poolMaxThreads'
  | 'poolMaxQueue'
  | 'poolMaxQueuePerWorkspace'
  | 'poolMaxWaitMs'
  | 'runTimeoutMs'
  | 'runMaxHeapMb'
  | 'shutdownTimeoutMs'
>;

export interface PoolDependencies {
  readonly config: PoolConfig;
  /** Of each run, beside time and heap. */
  readonly limits: RunLimits;
  readonly log: Pick<Logger, 'error'>;
  readonly observer?: PoolObserver;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** The file that threads run; the engine unless a test says otherwise. */
  readonly worker?: URL;
  /** How long a workspace stays heavy, in milliseconds; a minute unless a test says otherwise. */
  readonly heavyMs?: number;
}

export interface RunOptions {
  /** Fetches what a thread lacks. What it rejects with, `run` rejects with. */
  readonly provide: (miss: RunMiss) => Promise<Pick<RunTask, 'bundle' | 'configuration'>>;
  /** True once the caller has gone away; then a run that has not begun does not. */
  readonly gone?: () => boolean;
  /** Told of the wait and of the run; undefined unless the caller is traced. */
  readonly trace?: RequestTrace | undefined;
}

/** Runs decisions on worker threads: bounded, fair between workspaces, each run within its time and memory or not at all. */
export class Pool {
  readonly #measures: Measures;
  readonly #heavy: HeavyWorkspaces;
  readonly #admission: Admission;
  readonly #threads: Threads;
  readonly #dispatch: Dispatch;
  readonly #drainMs: number;
  readonly #now: () => number;
  #runTimeoutMs: number;
  #open = 0;
  #slowed = 0;
  #draining = false;
  #quiet: (() => void) | null = null;
  #clock: NodeJS.Timeout | null = null;
  #later: NodeJS.Timeout | null = null;

  constructor({ config, limits, log, observer, worker, heavyMs, now = () => performance.now() }: PoolDependencies) {
    this.#now = now;
    this.#heavy = new HeavyWorkspaces(heavyMs);
    this.#runTimeoutMs = config.runTimeoutMs;
    // The other half is for the records.
    this.#drainMs = config.shutdownTimeoutMs / 2;
    this.#measures = new Measures(observer);
    this.#admission = new Admission(
      {
        maxQueue: config.poolMaxQueue,
        maxQueuePerWorkspace: config.poolMaxQueuePerWorkspace,
        maxWaitMs: config.poolMaxWaitMs,
      },
      { measures: this.#measures, heavy: this.#heavy, now },
    );
    this.#threads = new Threads({
      worker: worker ?? new URL('../../workers/run.js', import.meta.url),
      maxHeapMb: config.runMaxHeapMb,
      limits,
      min: config.poolMinThreads,
      max: config.poolMaxThreads,
      offer: (thread) => this.#dispatch.offer(thread),
      onReplace: () => this.#measures.restarted(),
      log,
    });
    this.#dispatch = new Dispatch({
      threads: this.#threads,
      admission: this.#admission,
      heavy: this.#heavy,
      measures: this.#measures,
      log,
      timeoutMs: () => this.#runTimeoutMs,
      now,
    });
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
    if (this.#draining) throw this.#admission.draining();
    try {
      this.#admission.check(workspaceId, { idle: this.#dispatch.idleFor(workspaceId), threads: this.#threads.size });
    } catch (refusal) {
      if (this.#heavy.has(workspaceId)) await this.#slowDown();
      throw refusal;
    }
    this.#open++;
    this.#startClock();
    try {
      let task = request;
      let reply = await this.#reply(workspaceId, task, { gone, trace, hadTurn: false });
      for (let misses = 0; reply.kind === 'miss';) {
        if (++misses > maxMisses) throw new Error(`a thread still lacks what it was given: ${JSON.stringify(reply)}`);
        task = { ...task, ...(await this.#provided(provide(reply))) };
        if (gone()) throw this.#admission.gone();
        reply = await this.#reply(workspaceId, task, { gone, trace, hadTurn: true });
      }
      return reply;
    } finally {
      if (--this.#open === 0) this.#quiet?.();
    }
  }

  /** A flood that is refused at once comes back at once, and then it is the refusals that keep others waiting. */
  async #slowDown(): Promise<void> {
    if (this.#slowed >= maxSlowed) return;
    this.#slowed++;
    await sleep(slowDownMs, undefined, { ref: false });
    this.#slowed--;
  }

  /** Compiles a program on the threads that have nothing to do, before a run needs it. Never rejects. */
  async prepare(preparation: Preparation): Promise<void> {
    if (!this.#draining) await this.#threads.prepare(preparation);
  }

  /** Changes what is given, at once and without losing a run. Throws `validation_failed` where the minimum is above the maximum. */
  resize(changes: PoolChanges): void {
    const { minThreads, maxThreads, maxQueue, runTimeoutMs } = changedSettings(this.settings(), changes);
    this.#admission.limits.maxQueue = maxQueue;
    this.#runTimeoutMs = runTimeoutMs;
    this.#threads.resize(minThreads, maxThreads);
    this.#threads.grow(this.#admission.ready);
  }

  settings(): PoolSettings {
    return {
      minThreads: this.#threads.min,
      maxThreads: this.#threads.max,
      maxQueue: this.#admission.limits.maxQueue,
      runTimeoutMs: this.#runTimeoutMs,
    };
  }

  status(): PoolStatus {
    const { served, rejected, timedOut, restarts } = this.#measures;
    return {
      threads: this.#threads.size,
      busy: this.#threads.busy,
      idle: this.#threads.idle,
      waiting: this.#admission.waiting,
      ...this.settings(),
      served,
      rejected,
      timedOut,
      restarts,
      ...this.#measures.quantiles(this.#now()),
      memory: processMemory(),
    };
  }

  /** Takes no more runs, finishes those it has, and ends the threads; what is not over after `withinMs` is ended too. */
  async drain(withinMs: number = this.#drainMs): Promise<void> {
    this.#draining = true;
    if (this.#open > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        this.#quiet = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#admission.close();
    await this.#threads.close();
    for (const timer of [this.#clock, this.#later]) if (timer !== null) clearTimeout(timer);
  }

  /** One turn of a run. `hadTurn`: it comes back with what the thread lacked, and has waited before. */
  #reply(
    workspaceId: string,
    request: RunRequest,
    { gone, trace, hadTurn }: Pick<WaitingRun, 'gone' | 'trace'> & { readonly hadTurn: boolean },
  ): Promise<RunReply> {
    return new Promise((resolve, reject) => {
      const since = hadTurn ? null : this.#now();
      this.#dispatch.begin({ workspaceId, request, gone, trace, resolve, reject, since }, { hadTurn });
    });
  }

  async #provided<T>(provision: Promise<T>): Promise<T> {
    this.#admission.leave();
    try {
      return await provision;
    } finally {
      this.#admission.comeBack();
    }
  }

  #startClock(): void {
    // Timers come before messages: where the event loop was held up, answers that are there already are to be read first.
    this.#clock ??= setTimeout(() => setImmediate(() => this.#tick()), tickMs);
  }

  #tick(): void {
    const now = this.#now();
    this.#dispatch.check(now);
    this.#admission.expire(now);
    if (this.#open > 0) {
      this.#clock?.refresh();
      return;
    }
    this.#clock = null;
    if (this.#heavy.size > 0) this.#lookAgain();
  }

  /** With nothing under way nobody else would see that no workspace is heavy any more, and one thread too many would stay. */
  #lookAgain(): void {
    this.#later ??= setTimeout(() => {
      this.#later = null;
      this.#startClock();
    }, this.#heavy.forgetMs).unref();
  }
}

const never = (): boolean => false;

/** The pool starts its first threads at once; `drain` ends them. */
export function createPool(dependencies: PoolDependencies): Pool {
  return new Pool(dependencies);
}
