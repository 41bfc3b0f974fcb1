import type { Logger } from 'pino';
import type { RunLimits } from '../../workers/protocol.js';
import { Thread, type ThreadState } from './thread.js';
import { forLog } from './threadFailure.js';

const firstRetryMs = 100;
const lastRetryMs = 5_000;

export interface ThreadsOptions {
  readonly worker: URL;
  readonly maxHeapMb: number;
  readonly limits: RunLimits;
  readonly min: number;
  readonly max: number;
  /** Called with a thread that has nothing to do; false when there is nothing for it. */
  readonly offer: (thread: Thread) => boolean;
  /** Called for each thread that replaces one that died or had to be ended. */
  readonly onReplace: () => void;
  readonly log: Pick<Logger, 'error'>;
}

/** The threads of the pool: between `min` and `max`, grown as work waits, each replaced as soon as it is lost. */
export class Threads {
  readonly #options: ThreadsOptions;
  /** All but those that were ended. */
  readonly #all = new Set<Thread>();
  /** Kept for one run each, which is to have a new thread. */
  readonly #reserved = new Set<Thread>();
  /** Ended, and not yet exited. */
  readonly #exiting = new Set<Promise<void>>();
  /** Last in, first out: the thread that ran last has the warmest caches. Those of low priority are kept apart. */
  readonly #idle: Thread[] = [];
  readonly #idleLow: Thread[] = [];
  #min: number;
  #max: number;
  #spare = 0;
  #retryMs = firstRetryMs;
  #retry: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: ThreadsOptions) {
    this.#options = options;
    this.#min = options.min;
    this.#max = options.max;
    this.#fill(this.#min);
  }

  [Symbol.iterator](): Iterator<Thread> {
    return this.#all.values();
  }

  get min(): number {
    return this.#min;
  }

  get max(): number {
    return this.#max;
  }

  /** Threads that would take any run at once. */
  get idle(): number {
    return this.#idle.length;
  }

  /** Threads that would take a run of a slow workspace at once, and no other. */
  get idleLow(): number {
    return this.#idleLow.length;
  }

  /** Threads, ready or starting, without those on their way out. */
  get size(): number {
    return this.#all.size - this.#count('leaving');
  }

  get busy(): number {
    return this.#count('busy') + this.#count('leaving');
  }

  /** Threads that can run something or do, without those that are starting. */
  get serving(): number {
    return this.#count('idle') + this.#count('busy');
  }

  /** Resolves when none is starting any more. */
  async ready(): Promise<void> {
    await Promise.all(Array.from(this.#all, (thread) => thread.started));
  }

  /** An idle thread, busy from now on; undefined when there is none. */
  take({ low }: { readonly low: boolean }): Thread | undefined {
    const idle = low ? this.#idleLow : this.#idle;
    // One that has just died is taken out of the list, and replaced, in the next turn of the event loop.
    while (idle.at(-1)?.state === 'ended') idle.pop();
    const thread = idle.pop();
    thread?.become('busy');
    return thread;
  }

  /** The idle threads that would take any run, for `takeThis`. */
  idleThreads(): readonly Thread[] {
    return [...this.#idle];
  }

  /** As `take`; false when it is not idle any more. */
  takeThis(thread: Thread): boolean {
    const position = this.#idle.indexOf(thread);
    if (position === -1 || thread.state === 'ended') return false;
    this.#idle.splice(position, 1);
    thread.become('busy');
    return true;
  }

  /**
   * Has as many threads more than the maximum while work waits, and one of them at once: in the stead of those that are
   * held for long. At most twice the maximum and one.
   */
  set spare(spare: number) {
    if (this.#spare === spare) return;
    this.#spare = spare;
    this.#shrink();
    this.#fill(this.#least);
  }

  get #most(): number {
    return this.#max + Math.min(this.#spare, this.#max + 1);
  }

  get #least(): number {
    const usual = Math.max(1, this.#min);
    return this.#spare === 0 ? usual : Math.min(this.#most, Math.max(usual, this.#spare) + 1);
  }

  /** A busy thread whose work is over, or that was taken for nothing. False when nothing was found for it to do. */
  release(thread: Thread): boolean {
    if (thread.state === 'ended') return false;
    this.#reserved.delete(thread);
    if (thread.state === 'leaving' || this.size > this.#most) {
      void this.#remove(thread);
      return false;
    }
    if (this.#options.offer(thread)) return true;
    thread.become('idle');
    (thread.low ? this.#idleLow : this.#idle).push(thread);
    return false;
  }

  /** Ends the idle threads of low priority; nobody slow is left to use them, and the system may not let them come back. */
  endLow(): void {
    if (this.#idleLow.length === 0) return;
    for (const thread of [...this.#idleLow]) void this.#remove(thread);
    this.#fill(this.#least);
  }

  /** Starts more threads, where there may be more, for so many runs as have none coming. */
  grow(demand: () => number): void {
    if (this.size >= this.#most) return;
    const starting = this.#count('starting') - this.#reserved.size;
    this.#fill(Math.min(this.#most, this.size + demand() - Math.max(0, starting)));
  }

  /**
   * Ends a thread that is lost or not to be trusted any more, and starts another in its place. `reserved`: the new one is
   * not offered but the caller's, to be released after use. Null when it needs no replacement, or had one.
   */
  replace(thread: Thread, { reserved }: { readonly reserved: boolean }): Thread | null {
    const known = this.#all.has(thread);
    void this.#remove(thread);
    if (!known || this.#closed || (this.size >= this.#most && !reserved)) return null;
    this.#options.onReplace();
    return this.#add(reserved);
  }

  resize(min: number, max: number): void {
    this.#min = min;
    this.#max = max;
    for (const thread of this.#all) {
      if (this.size >= this.#most) break;
      if (thread.state === 'leaving') thread.become('busy');
    }
    this.#shrink();
    this.#fill(this.#least);
  }

  /** Ends all of them, busy or not; resolves when they have exited, those that were ended before among them. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    for (const thread of this.#all) void this.#remove(thread);
    await Promise.all(this.#exiting);
  }

  #count(state: ThreadState): number {
    let count = 0;
    for (const thread of this.#all) if (thread.state === state) count++;
    return count;
  }

  #fill(target: number): void {
    // Where threads die before they start, only the timer starts another.
    if (this.#closed || this.#retry !== null) return;
    for (let missing = target - this.size; missing > 0; missing--) this.#add(false);
  }

  #add(reserved: boolean): Thread {
    const { worker, maxHeapMb, limits, log } = this.#options;
    const onDeath = (dead: Thread, cause: unknown): void => {
      if (!this.#all.has(dead)) return;
      log.error(forLog(cause), 'a thread died between runs');
      this.replace(dead, { reserved: false });
    };
    const thread = new Thread({ worker, maxHeapMb, limits, onDeath });
    this.#all.add(thread);
    if (reserved) this.#reserved.add(thread);
    void thread.started.then((started) => {
      if (!this.#all.has(thread)) return;
      if (!started) {
        this.#stillborn(thread);
        return;
      }
      this.#retryMs = firstRetryMs;
      if (thread.state === 'starting') thread.become('busy');
      if (!reserved) this.release(thread);
    });
    return thread;
  }

  #stillborn(thread: Thread): void {
    void this.#remove(thread);
    this.#options.log.error({ err: thread.cause, retryMs: this.#retryMs }, 'a thread died before it was ready');
    this.#retry ??= setTimeout(() => {
      this.#retry = null;
      this.#fill(this.#least);
    }, this.#retryMs);
    this.#retryMs = Math.min(lastRetryMs, this.#retryMs * 2);
  }

  /** Idle threads go first, of low priority before others, then those that are starting; busy ones finish their work. */
  #shrink(): void {
    const order: readonly ThreadState[] = ['idle', 'starting', 'busy'];
    const rank = ({ state, low }: Thread): number => 2 * order.indexOf(state) - (low ? 1 : 0);
    const byUse = [...this.#all].filter(({ state }) => state !== 'leaving').sort((a, b) => rank(a) - rank(b));
    for (const thread of byUse.slice(0, Math.max(0, byUse.length - this.#most))) {
      if (thread.state === 'busy' || this.#reserved.has(thread)) thread.become('leaving');
      else void this.#remove(thread);
    }
  }

  #remove(thread: Thread): Promise<void> {
    this.#all.delete(thread);
    this.#reserved.delete(thread);
    for (const idle of [this.#idle, this.#idleLow]) {
      const position = idle.indexOf(thread);
      if (position !== -1) idle.splice(position, 1);
    }
    const exited = thread.end();
    this.#exiting.add(exited);
    const forget = (): void => void this.#exiting.delete(exited);
    exited.then(forget, forget);
    return exited;
  }
}
