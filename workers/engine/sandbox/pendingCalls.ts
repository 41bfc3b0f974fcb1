/** Something asynchronous that a function waits for. It ends when the signal aborts, and settles with JSON text. */
export type Work = (signal: AbortSignal) => Promise<string>;

export interface Delivery {
  readonly id: number;
  readonly text: string;
}

/** What the functions of one run wait for on the host's side: sleeps and HTTP calls. */
export class PendingCalls {
  readonly #running = new Map<number, { stop: AbortController; ended: Promise<void> }>();
  #finished: Delivery[] = [];
  #lastId = 0;
  #wake: (() => void) | undefined;

  get isEmpty(): boolean {
    return this.#running.size === 0 && this.#finished.length === 0;
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

  /** Resolves when something is ready, or at the deadline (`performance.now()` milliseconds). */
  async ready(deadline: number): Promise<void> {
    if (this.#finished.length > 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, Math.ceil(deadline - performance.now())));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  take(): Delivery[] {
    const finished = this.#finished;
    this.#finished = [];
    return finished;
  }

  /** Stops everything and waits until it has stopped. Whoever waits in `ready` is woken. */
  async cancel(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { stop } of running) stop.abort(new Error('the run is over'));
    await Promise.all(running.map(({ ended }) => ended));
    this.#finished = [];
    this.#wake?.();
  }

  #finish(id: number, text: string): void {
    this.#running.delete(id);
    this.#finished.push({ id, text });
    this.#wake?.();
  }
}

/** Work that is a timer. */
export function sleep(milliseconds: number): Work {
  return (signal) =>
    new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve('{}');
      };
      const timer = setTimeout(end, milliseconds);
      signal.addEventListener('abort', end);
    });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
