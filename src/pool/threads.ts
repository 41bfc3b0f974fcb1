import type { Logger } from 'pino';
import type { Preparation, RunLimits } from '../../workers/protocol.js';
import { forLog } from './loss.js';
import { Thread } from './thread.js';

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
  readonly #all = new Set<Thread>();
  /** Too many since the pool was made smaller, and busy: they end after their present run. */
  readonly #leaving = new Set<Thread>();
  /** Last in, first out: the thread that ran last has the warmest caches. */
  readonly #idle: Thread[] = [];
  #min: number;
  #max: number;
  /** One more than `max` may be there. */
  #spare = false;
  #retryMs = firstRetryMs;
  #retry: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(options: ThreadsOptions) {
    this.#options = options;
    this.#min = options.min;
    this.#max = options.max;
    this.#fill(this.#min);
  }

  *[Symbol.iterator](): Iterator<Thread> {
    yield* this.#all;
    yield* this.#leaving;
  }

  get min(): number {
    return this.#min;
  }

  get max(): number {
    return this.#max;
  }

  get idle(): number {
    return this.#idle.length;
  }

  /** Threads, ready or starting, without those on their way out. */
  get size(): number {
    return this.#all.size;
  }

  get busy(): number {
    return [...this].filter((thread) => thread.state === 'busy').length;
  }

  /** Resolves when none is starting any more. */
  async ready(): Promise<void> {
    await Promise.all(Array.from(this.#all, (thread) => thread.started));
  }

  /** An idle thread, marked busy; undefined when there is none. */
  take(): Thread | undefined {
    // One that has just died is taken out of the list, and replaced, in the next turn of the event loop.
    while (this.#idle.at(-1)?.state === 'gone') this.#idle.pop();
    const thread = this.#idle.pop();
    if (thread !== undefined) thread.state = 'busy';
    return thread;
  }

  /** Threads that can run something or do, without those that are starting. */
  get serving(): number {
    let count = 0;
    for (const { state } of this.#all) if (state === 'idle' || state === 'busy') count++;
    return count;
  }

  /** Has one more thread than the maximum, or no longer. */
  set spare(spare: boolean) {
    if (this.#spare === spare) return;
    this.#spare = spare;
    if (spare) this.#fill(this.size + 1);
    else this.#shrink();
  }

  get #most(): number {
    return this.#max + (this.#spare ? 1 : 0);
  }

  get #least(): number {
    return Math.max(1, this.#min) + (this.#spare ? 1 : 0);
  }

  /** A thread whose run is over, or that was taken for nothing. False when nothing was found for it to do. */
  release(thread: Thread): boolean {
    if (thread.state === 'gone') return false;
    if (this.#leaving.has(thread) || this.size > this.#most) {
      void this.#remove(thread);
      return false;
    }
    thread.state = 'busy';
    const isToBeRenewed = this.#isToBeRenewed(thread);
    // While others serve it goes at once, the only one when nothing waits.
    const serves = !isToBeRenewed || this.serving === 1;
    if (serves && this.#options.offer(thread)) return true;
    if (isToBeRenewed) {
      this.replace(thread, { reserved: false });
      return !serves;
    }
    thread.state = 'idle';
    this.#idle.push(thread);
    return false;
  }

  /** One after the other, and not while there are heavy workspaces, for which it would soon be low again. */
  #isToBeRenewed(thread: Thread): boolean {
    return thread.isStuckLow && !this.#spare && !this.#isStarting;
  }

  get #isStarting(): boolean {
    for (const { state } of this.#all) if (state === 'starting') return true;
    return false;
  }

  /** Has the threads that are idle compile a program, one after the other, so that runs find the others. Never rejects. */
  async prepare(preparation: Preparation): Promise<void> {
    for (const thread of [...this.#idle]) {
      const position = this.#idle.indexOf(thread);
      if (position === -1 || isGone(thread)) continue;
      this.#idle.splice(position, 1);
      thread.state = 'busy';
      await thread.prepare(preparation);
      if (isGone(thread)) this.replace(thread, { reserved: false });
      else this.release(thread);
    }
  }

  /** Starts more threads when `waiting` runs have none coming. */
  grow(waiting: number): void {
    if (this.size >= this.#max) return;
    const starting = [...this.#all].filter(({ state, reserved }) => state === 'starting' && !reserved).length;
    this.#fill(Math.min(this.#max, this.size + waiting - starting));
  }

  /**
   * Ends a thread that is lost or not to be trusted any more, and starts another in its place. `reserved`: the new one is
   * not offered but the caller's, to be released after use. Null when it needs no replacement, or had one.
   */
  replace(thread: Thread, { reserved }: { readonly reserved: boolean }): Thread | null {
    const known = this.#all.has(thread) || this.#leaving.has(thread);
    void this.#remove(thread);
    if (!known || this.#closed || (this.size >= this.#most && !reserved)) return null;
    this.#options.onReplace();
    return this.#add(reserved);
  }

  resize(min: number, max: number): void {
    this.#min = min;
    this.#max = max;
    for (const thread of this.#leaving) {
      if (this.size >= max) break;
      this.#leaving.delete(thread);
      this.#all.add(thread);
    }
    this.#shrink();
    this.#fill(this.#least);
  }

  /** Ends all of them, busy or not; resolves when they have exited. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    await Promise.all(Array.from(this, (thread) => this.#remove(thread)));
  }

  #fill(target: number): void {
    // Where threads die before they start, only the timer starts another.
    if (this.#closed || this.#retry !== null) return;
    for (let missing = target - this.size; missing > 0; missing--) this.#add(false);
  }

  #add(reserved: boolean): Thread {
    const { worker, maxHeapMb, limits, log } = this.#options;
    const thread = new Thread({
      worker,
      maxHeapMb,
      limits,
      reserved,
      onDeath: (dead, cause) => {
        if (!this.#all.has(dead)) return;
        log.error(forLog(cause), 'a thread died between runs');
        this.replace(dead, { reserved: false });
      },
    });
    this.#all.add(thread);
    void thread.started.then((started) => {
      if (!this.#all.has(thread) && !this.#leaving.has(thread)) return;
      if (!started) {
        this.#stillborn(thread);
        return;
      }
      this.#retryMs = firstRetryMs;
      thread.state = 'busy';
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

  /** Idle threads go first, of low priority before others, then those that are starting; busy ones finish their run. */
  #shrink(): void {
    const rank = ({ state, isStuckLow }: Thread): number =>
      2 * ['idle', 'starting', 'busy'].indexOf(state) - (isStuckLow ? 1 : 0);
    const byUse = [...this.#all].sort((a, b) => rank(a) - rank(b));
    for (const thread of byUse.slice(0, Math.max(0, byUse.length - this.#most))) {
      if (thread.state === 'busy' || (thread.reserved && thread.state === 'starting')) {
        this.#all.delete(thread);
        this.#leaving.add(thread);
      } else {
        void this.#remove(thread);
      }
    }
  }

  #remove(thread: Thread): Promise<void> {
    this.#all.delete(thread);
    this.#leaving.delete(thread);
    const position = this.#idle.indexOf(thread);
    if (position !== -1) this.#idle.splice(position, 1);
    return thread.end();
  }
}

/** The compiler does not see that waiting can change a thread's state. */
const isGone = (thread: Thread): boolean => thread.state === 'gone';
