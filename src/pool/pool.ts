import type { Logger } from 'pino';
import type { RunDone, RunMiss, RunReply, RunStopped, RunTask } from '../../workers/protocol.js';
import type { Config } from '../config.js';
import { Problem } from '../errors.js';
import { Admission } from './admission.js';
import { mayBeAnothers, stoppedBy } from './loss.js';
import { Measures, type PoolObserver } from './measures.js';
import type { PoolSettings, PoolStatus } from './status.js';
import type { Thread } from './thread.js';
import { Threads } from './threads.js';

/** The engine stops itself at the run's limit; a thread that has not answered this much later is ended. */
const graceMs = 250;
/** How often deadlines and waits are looked at while there are any: one timer for all runs. */
const tickMs = 25;
/** A run can lack its program, then its configuration on another thread. */
const maxMisses = 2;

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
  readonly log: Pick<Logger, 'error' | 'warn'>;
  readonly observer?: PoolObserver;
  /** The file that threads run; the engine unless a test says otherwise. */
  readonly worker?: URL;
}

/** The time limit is the pool's to add: it can change while the run waits. */
export type RunRequest = Omit<RunTask, 'timeoutMs' | 'bundle' | 'configuration'>;

export interface RunOptions {
  /** Fetches what a thread lacks. What it rejects with, `run` rejects with. */
  readonly provide: (miss: RunMiss) => Promise<Pick<RunTask, 'bundle' | 'configuration'>>;
  /** True once the caller has gone away; then a run that has not begun does not. */
  readonly gone?: () => boolean;
}

/** Ended without an answer of the worker. `repeatOn`: the fault may be an earlier run's, so it is to run once more there. */
interface Lost {
  readonly kind: 'lost';
  readonly stopped: RunStopped;
  readonly repeatOn: Thread | null;
}

/** Runs decisions on worker threads: bounded, fair between workspaces, each run within its time and memory or not at all. */
export class Pool {
  readonly #measures: Measures;
  readonly #admission: Admission;
  readonly #threads: Threads;
  readonly #log: PoolDependencies['log'];
  readonly #drainMs: number;
  #runTimeoutMs: number;
  #open = 0;
  #draining = false;
  #quiet: (() => void) | null = null;
  #clock: NodeJS.Timeout | null = null;

  constructor({ config, log, observer, worker }: PoolDependencies) {
    this.#log = log;
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
      this.#measures,
    );
    this.#threads = new Threads({
      worker: worker ?? new URL('../../workers/run.js', import.meta.url),
      maxHeapMb: config.runMaxHeapMb,
      min: config.poolMinThreads,
      max: config.poolMaxThreads,
      offer: (thread) => this.#admission.offer(thread),
      onReplace: () => this.#measures.restarted(),
      log,
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
    { provide, gone = never }: RunOptions,
  ): Promise<RunDone | RunStopped> {
    if (this.#draining) throw this.#admission.draining();
    this.#admission.check(workspaceId, { idle: this.#threads.idle, threads: this.#threads.size });
    this.#open++;
    this.#startClock();
    try {
      const since = performance.now();
      const thread = this.#threads.take() ?? (await this.#queued(this.#admission.wait(workspaceId, gone)));
      const now = performance.now();
      this.#measures.waited(now - since, now);
      return await this.#toTheEnd(thread, request, { provide, gone });
    } finally {
      if (--this.#open === 0) this.#quiet?.();
    }
  }

  /** Changes what is given, at once and without losing a run. Throws `validation_failed` where the minimum is above the maximum. */
  resize(changes: { readonly [K in keyof PoolSettings]?: PoolSettings[K] | undefined }): void {
    const { minThreads = this.#threads.min, maxThreads = this.#threads.max, maxQueue, runTimeoutMs } = changes;
    if (minThreads > maxThreads) {
      const pointer = changes.minThreads === undefined ? '/maxThreads' : '/minThreads';
      throw new Problem('validation_failed', 'minThreads must not be above maxThreads.', {
        errors: [{ in: 'body', pointer, message: `minThreads would be ${minThreads}, maxThreads ${maxThreads}` }],
      });
    }
    this.#admission.limits.maxQueue = maxQueue ?? this.#admission.limits.maxQueue;
    this.#runTimeoutMs = runTimeoutMs ?? this.#runTimeoutMs;
    this.#threads.resize(minThreads, maxThreads);
    this.#threads.grow(this.#admission.ready);
  }

  status(): PoolStatus {
    const { served, rejected, timedOut, restarts } = this.#measures;
    const { rss, heapUsed, external } = process.memoryUsage();
    return {
      threads: this.#threads.size,
      busy: this.#threads.busy,
      waiting: this.#admission.waiting,
      minThreads: this.#threads.min,
      maxThreads: this.#threads.max,
      maxQueue: this.#admission.limits.maxQueue,
      runTimeoutMs: this.#runTimeoutMs,
      served,
      rejected,
      timedOut,
      restarts,
      ...this.#measures.quantiles(performance.now()),
      memory: { rss, heapUsed, external },
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
    if (this.#clock !== null) clearTimeout(this.#clock);
  }

  #queued(wait: Promise<Thread>): Promise<Thread> {
    this.#threads.grow(this.#admission.ready);
    return wait;
  }

  async #toTheEnd(
    first: Thread,
    request: RunRequest,
    { provide, gone }: Required<RunOptions>,
  ): Promise<RunDone | RunStopped> {
    let thread = first;
    let task = { ...request, timeoutMs: this.#runTimeoutMs };
    for (let misses = 0; ;) {
      const reply = await this.#attempt(thread, task);
      if (reply.kind === 'lost') {
        if (reply.repeatOn === null) return reply.stopped;
        thread = reply.repeatOn;
      } else if (reply.kind === 'miss') {
        if (++misses > maxMisses) throw new Error(`a thread still lacks what it was given: ${JSON.stringify(reply)}`);
        task = { ...task, ...(await this.#provided(provide(reply))), timeoutMs: this.#runTimeoutMs };
        if (gone()) throw this.#admission.gone();
        thread = this.#threads.take() ?? (await this.#queued(this.#admission.waitFirst(gone)));
      } else {
        return reply;
      }
    }
  }

  async #provided<T>(provision: Promise<T>): Promise<T> {
    this.#admission.leave();
    try {
      return await provision;
    } finally {
      this.#admission.comeBack();
    }
  }

  /** One run on one thread, which is released or ended after it. */
  async #attempt(thread: Thread, task: RunTask): Promise<RunReply | Lost> {
    const start = performance.now();
    thread.endAt = start + task.timeoutMs + graceMs;
    try {
      const reply = await thread.run(task);
      thread.endAt = Infinity;
      thread.served++;
      if (reply.kind === 'stopped' && reply.detail !== undefined) {
        this.#log.error({ detail: reply.detail }, 'the engine failed on a run');
      }
      if (reply.kind !== 'miss') this.#ran(start, reply.kind === 'done' ? 'done' : reply.reason);
      this.#threads.release(thread);
      return reply;
    } catch (error) {
      thread.endAt = Infinity;
      const lost = this.#lost(thread, error, start);
      if (lost.repeatOn !== null && !(await lost.repeatOn.started)) return { ...lost, repeatOn: null };
      return lost;
    }
  }

  #lost(thread: Thread, error: unknown, start: number): Lost {
    const ms = performance.now() - start;
    const stopped = stoppedBy(thread, error, ms);
    const unclear = mayBeAnothers(thread, stopped) && !this.#draining;
    const { reason } = stopped;
    this.#log.error({ err: error, reason, unclear, served: thread.served, ms }, 'a worker thread was lost under a run');
    const replacement = this.#threads.replace(thread, { reserved: unclear });
    if (!unclear) this.#ran(start, reason);
    return { kind: 'lost', stopped, repeatOn: unclear ? replacement : null };
  }

  #ran(start: number, end: 'done' | RunStopped['reason']): void {
    const now = performance.now();
    this.#measures.ran(now - start, end, now);
  }

  #startClock(): void {
    this.#clock ??= setTimeout(() => this.#tick(), tickMs);
  }

  #tick(): void {
    const now = performance.now();
    for (const thread of this.#threads) {
      if (now > thread.endAt) thread.endOverdue();
    }
    this.#admission.expire(now);
    if (this.#open > 0) this.#clock?.refresh();
    else this.#clock = null;
  }
}

const never = (): boolean => false;

/** The pool starts its first threads at once; `drain` ends them. */
export function createPool(dependencies: PoolDependencies): Pool {
  return new Pool(dependencies);
}
