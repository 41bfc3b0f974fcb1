import type { RunClock } from '../clock.js';

/** Something asynchronous that a function waits for. It ends when the signal aborts, and settles with JSON text. */
type Work = (signal: AbortSignal) => Promise<string>;

interface Delivery {
  readonly id: number;
  readonly text: string;
}

interface Sleep {
  readonly id: number;
  /** By the run's clock. */
  readonly due: number;
  /** `performance.now()` milliseconds. */
  readonly wakeAt: number;
}

/**
 * What the functions of one run wait for on the host's side: sleeps and HTTP calls. Sleeps end one at a time, in the order
 * of the run's own clock, so that a function that only sleeps goes the same way each time it is run.
 */
export class PendingCalls {
  readonly #clock: RunClock;
  readonly #running = new Map<number, { stop: AbortController; ended: Promise<void> }>();
  readonly #finished: Delivery[] = [];
  /** By `due`, those of the same time in the order in which they began. */
  readonly #sleeps: Sleep[] = [];
  #lastId = 0;
  #wake: (() => void) | undefined;

  constructor(clock: RunClock) {
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#running.size === 0 && this.#finished.length === 0 && this.#sleeps.length === 0;
  }

  /** Starts the work at once. Its text, or its error's message, is delivered under the id. */
  start(work: Work): number {
    const id = ++this.#lastId;
    const stop = new AbortController();
    const ended = work(stop.signal).then(
      (text) => this.#finish(id, text),
      (error: unknown) => this.#finish(id, JSON.stringify({ error: messageOf(error) })),
    );
    this.#running.set(id, { stop, ended });
    return id;
  }

  sleep(milliseconds: number): number {
    const id = ++this.#lastId;
    const due = this.#clock.now() + milliseconds;
    const index = this.#sleeps.findLastIndex((other) => other.due <= due) + 1;
    this.#sleeps.splice(index, 0, { id, due, wakeAt: performance.now() + milliseconds });
    return id;
  }

  /** Waits for what ends next. Undefined when nothing has by the deadline (`performance.now()` milliseconds). */
  async next(deadline: number): Promise<Delivery | undefined> {
    const until = Math.min(deadline, this.#sleeps[0]?.wakeAt ?? Infinity);
    if (this.#finished.length === 0 && until > performance.now()) await this.#wait(until);
    const finished = this.#finished.shift();
    if (finished !== undefined) {
      this.#clock.catchUp();
      return finished;
    }
    const [first] = this.#sleeps;
    // A timer may come a little early.
    if (first === undefined || first.wakeAt > performance.now() + 1) return undefined;
    this.#sleeps.shift();
    this.#clock.reach(first.due);
    return { id: first.id, text: '{}' };
  }

  /** Stops everything and waits until it has stopped. Whoever waits in `next` is woken. */
  async cancel(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { stop } of running) stop.abort(new Error('the run is over'));
    await Promise.all(running.map(({ ended }) => ended));
    this.#finished.length = 0;
    this.#sleeps.length = 0;
    this.#wake?.();
  }

  async #wait(until: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, Math.ceil(until - performance.now())));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  #finish(id: number, text: string): void {
    this.#running.delete(id);
    this.#finished.push({ id, text });
    this.#wake?.();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
