import type { Logger } from 'pino';
import { after } from '../../clock/timers.js';
import { patienceMs, slowMs } from '../constants.js';
import type { PoolSettings } from './settings.js';
import { forLog, Thread, type ThreadOptions, type ThreadState } from './thread.js';

/** The first wait before a thread is replaced that died before it was ready, in milliseconds; the longest is `patienceMs.begun`. */
const firstRetryMs = slowMs / 2;

interface ThreadsOptions extends Pick<ThreadOptions, 'worker' | 'maxHeapMb' | 'limits'> {
  /** They may change; `resize` is to be called then. */
  readonly settings: Pick<PoolSettings, 'minThreads' | 'maxThreads'>;
  /** Called when another thread can take work, and is idle. */
  readonly onReady: () => void;
  /** Called for each thread that replaces one that died or had to be ended. */
  readonly onReplace: () => void;
  readonly log: Pick<Logger, 'error'>;
}

/**
 * The threads of the pool: between the minimum and the maximum (and overflow threads), started as work waits, replaced when
 * they are lost.
 */
export class Threads {
  readonly #options: ThreadsOptions;
  /** All but those that were ended. */
  readonly #all = new Set<Thread>();
  /** Threads that were ended. */
  readonly #exiting = new Set<Promise<void>>();
  #overflow = 0;
  #retryMs = firstRetryMs;
  #cancelRetry: (() => void) | undefined;
  #closed = false;

  constructor(options: ThreadsOptions) {
    this.#options = options;
    this.#fill(options.settings.minThreads);
  }

  /** Idle threads of normal priority, which take any run. */
  get idle(): number {
    return this.#count('idle', false);
  }

  /** Idle threads of low priority, which take only runs of slow workspaces. */
  get idleLow(): number {
    return this.#count('idle', true);
  }

  /** Threads, ready or starting, without those that are leaving. */
  get size(): number {
    return this.#all.size - this.#count('leaving');
  }

  get busy(): number {
    return this.#count('busy') + this.#count('leaving');
  }

  /** Threads that are idle or busy, without those that are starting. */
  get serving(): number {
    return this.#count('idle') + this.#count('busy');
  }

  /** Resolves when none is starting any more. */
  async ready(): Promise<void> {
    await Promise.all(Array.from(this.#all, (thread) => thread.started));
  }

  idleThreads({ low }: { readonly low: boolean }): Thread[] {
    return [...this.#all].filter((thread) => thread.state === 'idle' && thread.low === low);
  }

  /**
   * Allows so many threads beyond the maximum, in place of those that are held for long; one of them is started at
   * once, the others as work waits. In all at most twice the maximum and one.
   */
  set overflow(overflow: number) {
    if (this.#overflow === overflow) return;
    this.#overflow = overflow;
    this.resize();
  }

  get #most(): number {
    const { maxThreads } = this.#options.settings;
    return maxThreads + Math.min(this.#overflow, maxThreads + 1);
  }

  get #least(): number {
    const one = this.#overflow > 0 ? 1 : 0;
    return Math.min(this.#most, Math.max(1, this.#options.settings.minThreads, this.#overflow) + one);
  }

  /** Whether a thread whose work is over stays; one too many is removed. */
  keeps(thread: Thread): boolean {
    if (thread.state === 'ended') return false;
    if (thread.state !== 'leaving' && this.size <= this.#most) return true;
    this.#remove(thread);
    return false;
  }

  /**
   * Ends the idle threads of low priority: no workspace is slow any more, and the system may not let them raise their
   * priority.
   */
  endLow(): void {
    for (const thread of this.idleThreads({ low: true })) this.#remove(thread);
    this.#fill(this.#least);
  }

  /** Whether there are fewer threads than the maximum. */
  get mayGrow(): boolean {
    return this.size < this.#most;
  }

  /** Starts more threads, up to the maximum, for so many runs beyond those that are starting. */
  grow(demand: number): void {
    this.#fill(Math.min(this.#most, this.size + demand - this.#count('starting')));
  }

  /**
   * Ends a thread that died or must not be used any more, and starts another in its place. `reserved`: the new one is
   * the caller's alone, to be released after use. Null when it needs no replacement, or had one.
   */
  replace(thread: Thread, { reserved }: { readonly reserved: boolean }): Thread | null {
    const known = this.#all.has(thread);
    this.#remove(thread);
    if (!known || this.#closed || (this.size >= this.#most && !reserved)) return null;
    this.#options.onReplace();
    return this.#add(reserved);
  }

  /** Has as many threads as there are to be now; keeps those that were leaving before it starts others. */
  resize(): void {
    for (const thread of this.#all) {
      if (this.size >= this.#most) break;
      if (thread.state === 'leaving') thread.state = 'busy';
    }
    this.#shrink();
    this.#fill(this.#least);
  }

  /** Ends all threads, busy or not; resolves when they have exited, those that were ended before included. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#cancelRetry?.();
    for (const thread of this.#all) this.#remove(thread);
    await Promise.all(this.#exiting);
  }

  /** @param low of low priority, or not; both unless given */
  #count(state: ThreadState, low?: boolean): number {
    let count = 0;
    for (const thread of this.#all) if (thread.state === state && thread.low === (low ?? thread.low)) count++;
    return count;
  }

  #fill(target: number): void {
    // Where threads die before they are ready, only the retry timer starts another.
    if (this.#closed || this.#cancelRetry !== undefined) return;
    for (let missing = target - this.size; missing > 0; missing--) this.#add(false);
  }

  #add(reserved: boolean): Thread {
    const { worker, maxHeapMb, limits, log } = this.#options;
    const onDeath = (dead: Thread, cause: unknown): void => {
      if (!this.#all.has(dead)) return;
      log.error(forLog(cause), 'a thread died between runs');
      this.replace(dead, { reserved: false });
    };
    const thread = new Thread({ worker, maxHeapMb, limits, reserved, onDeath });
    this.#all.add(thread);
    void thread.started.then((started) => {
      if (!this.#all.has(thread)) return;
      if (!started) {
        this.#stillborn(thread);
        return;
      }
      this.#retryMs = firstRetryMs;
      if (thread.state !== 'starting') return;
      thread.state = 'idle';
      this.#options.onReady();
    });
    return thread;
  }

  #stillborn(thread: Thread): void {
    this.#remove(thread);
    this.#options.log.error({ err: thread.cause, retryMs: this.#retryMs }, 'a thread died before it was ready');
    this.#cancelRetry ??= after(this.#retryMs, () => {
      this.#cancelRetry = undefined;
      this.#fill(this.#least);
    });
    this.#retryMs = Math.min(patienceMs.begun, this.#retryMs * 2);
  }

  /**
   * Removes threads above the maximum: idle ones first (low priority before normal), then starting ones; busy ones
   * finish their work.
   */
  #shrink(): void {
    const order: readonly ThreadState[] = ['idle', 'starting', 'reserved', 'busy'];
    const rank = ({ state, low }: Thread): number => 2 * order.indexOf(state) - (low ? 1 : 0);
    const byUse = [...this.#all].filter(({ state }) => state !== 'leaving').sort((a, b) => rank(a) - rank(b));
    for (const thread of byUse.slice(0, Math.max(0, byUse.length - this.#most))) {
      if (thread.state === 'busy' || thread.state === 'reserved') thread.state = 'leaving';
      else this.#remove(thread);
    }
  }

  #remove(thread: Thread): void {
    this.#all.delete(thread);
    const exited = thread.end();
    this.#exiting.add(exited);
    const forget = (): void => void this.#exiting.delete(exited);
    exited.then(forget, forget);
  }
}
