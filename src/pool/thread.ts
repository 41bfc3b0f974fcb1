import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Piscina } from 'piscina';
import type { BatchAnswer, Preparation, RunLimits, ThreadTask, WorkerData } from '../../workers/protocol.js';

/** More runs than any batch has. */
const stopped = 2 ** 30;

export interface ThreadOptions {
  /** A file that exports what `WorkerExports` of the protocol says. */
  readonly worker: URL;
  readonly maxHeapMb: number;
  readonly limits: RunLimits;
  /** It is for one run alone; then its state tells so. */
  readonly reserved?: boolean;
  /** Called when the worker died by itself after it had started; the cause is for the log. */
  readonly onDeath: (thread: Thread, cause: unknown) => void;
}

/**
 * What a thread is doing. `reserved`: it starts, or has started, for one run alone. `leaving`: there are too many, and it
 * ends after its present work. `ended` is for ever.
 */
export type ThreadState = 'starting' | 'reserved' | 'idle' | 'busy' | 'leaving' | 'ended';

/** What may come after each state. */
const following: Readonly<Record<ThreadState, readonly ThreadState[]>> = {
  starting: ['idle', 'ended'],
  reserved: ['idle', 'busy', 'leaving', 'ended'],
  idle: ['busy', 'ended'],
  busy: ['idle', 'leaving', 'ended'],
  leaving: ['busy', 'ended'],
  ended: [],
};

/**
 * One worker thread from its start to its end: a Piscina of exactly one worker, never restarted. So it is known which run
 * is on which thread, a fault belongs to one thread, and the pool changes its size by construction and `end()` alone;
 * Piscina has no public way to add or take a worker while it works.
 */
export class Thread {
  /** Runs that this thread has had and is through with. */
  served = 0;
  /** It was ended because its run did not end. */
  overdue = false;
  /** The worker died by itself; nothing ended it. */
  died = false;
  /** From its first run of a slow workspace on it gives way to all others of the machine, and has only such runs. */
  low = false;
  /** True when the worker can take its first run, false when it died before or was ended; never rejects. */
  readonly started: Promise<boolean>;
  /** Why the worker died, once it has. */
  cause: unknown = undefined;

  #state: ThreadState;
  /** As `WorkerData` has it. */
  readonly #begun = new Int32Array(new SharedArrayBuffer(8));
  readonly #piscina: Piscina<readonly ThreadTask[] | Preparation | undefined, BatchAnswer>;
  #waitedMs = 0;
  #exited: Promise<void> | null = null;

  constructor({ worker, maxHeapMb, limits, reserved = false, onDeath }: ThreadOptions) {
    this.#state = reserved ? 'reserved' : 'starting';
    // V8 prefers this flag of the process to the limits of a thread. The main thread has taken from it what it wants.
    setFlagsFromString('--max-semi-space-size=0');
    this.#piscina = new Piscina<readonly ThreadTask[] | Preparation | undefined, BatchAnswer>({
      filename: fileURLToPath(worker),
      name: 'runAll',
      workerData: { begun: this.#begun.buffer, limits } satisfies WorkerData,
      // None at first: workers that the constructor starts count as ready before they are. The first task starts it.
      minThreads: 0,
      maxThreads: 1,
      // A fault takes every task on its worker with it.
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
    // An error without a task, such as one thrown late. Without a listener it would end the process.
    this.#piscina.on('error', (error: unknown) => (this.cause = error));
    this.started = this.#start(onDeath);
  }

  get state(): ThreadState {
    return this.#state;
  }

  /** Throws where the present state can't be followed by that one. */
  become(state: ThreadState): void {
    if (!following[this.#state].includes(state))
      throw new Error(`a thread that is ${this.#state} can't become ${state}`);
    this.#state = state;
  }

  /**
   * Runs the tasks in order, as far as the worker sees fit; to be called when the batch before is answered. Rejects with
   * what killed the worker, `state` being 'ended' by then, or with what the worker's code threw.
   */
  run(tasks: readonly ThreadTask[]): Promise<BatchAnswer> {
    Atomics.store(this.#begun, 0, 0);
    Atomics.store(this.#begun, 1, this.low ? 1 : 0);
    return this.#piscina.run(tasks);
  }

  /** Has a program compiled, with nothing else on the thread; never rejects. A thread that is lost by it is 'ended' then. */
  async prepare(preparation: Preparation): Promise<void> {
    // Runs of that program meet the same fault, and answer with it.
    await this.#piscina.run(preparation, { name: 'prepare' }).catch(() => undefined);
  }

  /**
   * Milliseconds since its start in which the worker's event loop had nothing to do: what it waited for timers, hosts and
   * messages. Without its help, so also while it computes; half a microsecond.
   */
  waitedMs(): number {
    // None of one that has ended; then it is what it was.
    const idleMs = this.#piscina.threads[0]?.performance.eventLoopUtilization().idle ?? 0;
    return (this.#waitedMs = Math.max(this.#waitedMs, idleMs));
  }

  /** Of the present batch no more runs begin; gives how many had begun. To be called once a batch. */
  stopBatch(): number {
    return Atomics.exchange(this.#begun, 0, stopped);
  }

  /**
   * Ends the worker at once, whatever it is doing; its run is rejected. Resolves when the thread has exited, which one in
   * native code does when that is over.
   */
  end(): Promise<void> {
    if (this.#state !== 'ended') this.become('ended');
    this.#exited ??= this.#piscina.destroy();
    return this.#exited;
  }

  async #start(onDeath: ThreadOptions['onDeath']): Promise<boolean> {
    let isReady = false;
    // Piscina says that the worker is removed before it rejects the task or says why.
    const died = new Promise<boolean>((resolve) => {
      this.#piscina.once('workerDestroy', () => {
        resolve(false);
        if (this.#state === 'ended') return;
        this.become('ended');
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
    // A worker that dies before it is ready leaves its first task waiting for ever: hence the race.
    return Promise.race([ready, died]);
  }
}

/**
 * Room for young objects, in MB. V8 counts it against the old ones' limit: with 32 of 32 it takes the heap for full and
 * collects without end, at a sixth of the throughput.
 */
const youngMb = (heapMb: number): number => Math.min(32, heapMb / 4);

/**
 * Node's options of a worker: as the process's, as far as workers may have them. Piscina would load the worker's module by
 * `require`, and a worker that is ended within that takes the whole process with it (v8::Module::IsGraphAsync, Node 20.20).
 */
function workerOptions(): string[] {
  const ofProcess = process.execArgv.filter((option) => /^--(enable-source-maps|cpu-prof)/.test(option));
  return [...ofProcess, '--no-experimental-require-module'];
}
