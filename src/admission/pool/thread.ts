import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Piscina } from 'piscina';
import type {
  BatchAnswer,
  Preparation,
  RunLimits,
  RunStopped,
  ThreadMessage,
  WorkerData,
} from '../../../workers/protocol.js';

/** Stored in place of the count of runs begun, to stop a batch: more runs than any batch has. */
const stopped = 2 ** 30;

export interface ThreadOptions {
  /** A file that exports what `WorkerExports` of the protocol says. */
  readonly worker: URL;
  readonly maxHeapMb: number;
  readonly limits: RunLimits;
  /** It is for one run alone: it starts in the state `reserved`. */
  readonly reserved?: boolean;
  /** Called when the worker died by itself after it had started; the cause is for the log. */
  readonly onDeath: (thread: Thread, cause: unknown) => void;
}

/**
 * What a thread is doing. `reserved`: it starts, or has started, for one run alone. `leaving`: there are too many, and it
 * ends after its present work. `ended` is for ever.
 */
export type ThreadState = 'starting' | 'reserved' | 'idle' | 'busy' | 'leaving' | 'ended';

/**
 * One worker thread from its start to its end: a Piscina of exactly one worker, never restarted. So it is known which run
 * is on which thread, a fault belongs to one thread, and the pool changes its size by construction and `end()` alone;
 * Piscina has no public way to add or take a worker while it works.
 */
export class Thread {
  /** Runs that have ended on this thread. */
  served = 0;
  /** It was ended because its run did not end. */
  overdue = false;
  /** The worker died by itself; nothing ended it. */
  died = false;
  /** Set by its first run of a slow workspace: the thread then has low priority, and gets such runs only. */
  low = false;
  /** True when the worker can take its first run, false when it died before or was ended; never rejects. */
  readonly started: Promise<boolean>;
  /** Why the worker died, once it has. */
  cause: unknown = undefined;
  state: ThreadState;

  /** The number in `WorkerData`. */
  readonly #begun = new Int32Array(new SharedArrayBuffer(8));
  readonly #piscina: Piscina<ThreadMessage | Preparation | undefined, BatchAnswer>;
  /** Milliseconds since its start in which the worker's event loop had nothing to do, and before its present work. */
  #idleMs = 0;
  #idleBefore = 0;
  #exited: Promise<void> | null = null;

  constructor({ worker, maxHeapMb, limits, reserved = false, onDeath }: ThreadOptions) {
    this.state = reserved ? 'reserved' : 'starting';
    // V8 prefers this process-wide flag to a thread's `resourceLimits`, so it is reset. The main thread has read it
    // already.
    setFlagsFromString('--max-semi-space-size=0');
    this.#piscina = new Piscina<ThreadMessage | Preparation | undefined, BatchAnswer>({
      filename: fileURLToPath(worker),
      name: 'runAll',
      workerData: { begun: this.#begun.buffer, limits } satisfies WorkerData,
      // None at first: workers that the constructor starts count as ready before they are. The first task starts it.
      minThreads: 0,
      maxThreads: 1,
      // A fault fails every task on its worker.
      concurrentTasksPerWorker: 1,
      idleTimeout: Infinity,
      // 'sync' would freeze the worker's event loop between tasks.
      atomics: 'disabled',
      recordTiming: false,
      execArgv: workerOptions(),
      // Workers get process.env otherwise, with every secret of the server.
      env: {},
      resourceLimits: {
        maxOldGenerationSizeMb: maxHeapMb,
        maxYoungGenerationSizeMb: youngMb(maxHeapMb),
        stackSizeMb: 8,
      },
    });
    // Without a listener an error outside of a task, such as one that is thrown late, would end the process.
    this.#piscina.on('error', (error: unknown) => (this.cause = error));
    this.started = this.#start(onDeath);
  }

  /**
   * Runs the tasks in order; the worker may leave the last ones undone. To be called when the batch before is answered.
   * Rejects with what killed the worker, `state` being 'ended' by then, or with what the worker's code threw.
   */
  run(message: ThreadMessage): Promise<BatchAnswer> {
    Atomics.store(this.#begun, 0, 0);
    Atomics.store(this.#begun, 1, this.low ? 1 : 0);
    this.#idleBefore += this.waitedMs();
    return this.#piscina.run(message);
  }

  /** Has a program compiled, with nothing else on the thread; never rejects. A thread that is lost by it is 'ended' then. */
  async prepare(preparation: Preparation): Promise<void> {
    this.#idleBefore += this.waitedMs();
    // The error is dropped: runs of that program meet the same fault, and report it.
    await this.#piscina.run(preparation, { name: 'prepare' }).catch(() => undefined);
  }

  /**
   * Milliseconds of its present work in which the worker's event loop had nothing to do: time spent waiting for timers,
   * hosts and messages. Needs no help of the worker, so it works while it computes; takes half a microsecond.
   */
  waitedMs(): number {
    // A worker that has ended has no figure; then the last one stays.
    const idleMs = this.#piscina.threads[0]?.performance.eventLoopUtilization().idle ?? 0;
    this.#idleMs = Math.max(this.#idleMs, idleMs);
    return this.#idleMs - this.#idleBefore;
  }

  /** Keeps further runs of the present batch from beginning; gives how many had begun. To be called once a batch. */
  stopBatch(): number {
    return Atomics.exchange(this.#begun, 0, stopped);
  }

  /**
   * Ends the worker at once, whatever it is doing; its run is rejected. Resolves when the thread has exited, which
   * takes until native code that it is in returns.
   */
  end(): Promise<void> {
    this.state = 'ended';
    this.#exited ??= this.#piscina.destroy();
    return this.#exited;
  }

  async #start(onDeath: ThreadOptions['onDeath']): Promise<boolean> {
    let isReady = false;
    // Piscina emits this before it rejects the task or reports the cause.
    const died = new Promise<boolean>((resolve) => {
      this.#piscina.once('workerDestroy', () => {
        resolve(false);
        if (this.state === 'ended') return;
        this.state = 'ended';
        this.died = true;
        if (isReady) setImmediate(() => onDeath(this, this.cause));
      });
    });
    const ready = this.#piscina.run(undefined, { name: 'ready' }).then(
      () => (isReady = true),
      (error: unknown) => {
        this.cause = error;
        return false;
      },
    );
    // Where a worker dies before it is ready, its first task never settles: hence the race.
    return Promise.race([ready, died]);
  }
}

/**
 * Size of the young generation, in MB. V8 counts it against the limit of the old one: with 32 of 32 it takes the heap
 * for full and collects garbage all the time, at a sixth of the throughput.
 */
const youngMb = (heapMb: number): number => Math.min(32, heapMb / 4);

/**
 * Node's options of a worker: those of the process that apply to workers. Without the last one Piscina would load the
 * worker's module by `require`, and a worker that is ended during that crashes the process (v8::Module::IsGraphAsync,
 * Node 20.20).
 */
function workerOptions(): string[] {
  const ofProcess = process.execArgv.filter((option) => /^--(enable-source-maps|cpu-prof)/.test(option));
  return [...ofProcess, '--no-experimental-require-module'];
}

const messages = {
  timeout: 'The run passed its time limit and was stopped.',
  memory: 'The run passed its memory limit and was stopped.',
  crash: 'The run ended without a result.',
} as const satisfies Record<RunStopped['reason'], string>;

/** The reply of a run whose thread died or was ended while it ran. @param ms how long it ran */
export function stoppedBy(thread: Thread, error: unknown, ms: number): RunStopped {
  const isOutOfMemory = (error as NodeJS.ErrnoException | null)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
  const reason = thread.overdue ? 'timeout' : isOutOfMemory ? 'memory' : 'crash';
  const engineUs = Math.round(ms * 1000);
  return { kind: 'stopped', reason, message: messages[reason], engineUs, recordedFact: null, factRedacted: false };
}

/**
 * Whether an earlier run of the thread may be at fault. The worker's own code leaves no error uncaught, and all runs of
 * a thread fill one heap: where a thread that has served others dies by a throw, an exit or lack of memory, the cause
 * is unknown. The run's own fault happens again on a fresh thread. A passed deadline and what `runAll` itself rejects
 * with are certainly the present run's.
 */
export function mayBeAnothers(thread: Thread, { reason }: RunStopped): boolean {
  return reason !== 'timeout' && thread.died && thread.served > 0;
}

/** What may be logged of an error from a worker: not its message, which can hold a secret or a part of a fact. */
export function forLog(error: unknown): { readonly error: string; readonly at: string | undefined } {
  const { name = 'unknown', code, stack } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  const frames = stack?.split('\n').filter((line) => /^ {4}at /.test(line));
  return { error: code === undefined ? name : `${name} ${code}`, at: frames?.join('\n') };
}
