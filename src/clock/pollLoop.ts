import { pause } from './timers.js';

interface Polling {
  /** How often to look for work that nothing announces, in milliseconds. */
  readonly pollMs: number;
  /** Does what is due. Resolves with true where there is more to do at once. */
  readonly round: () => Promise<boolean>;
  readonly failed: (error: unknown) => void;
  /** Called after the last round. */
  readonly ended?: () => Promise<unknown>;
}

/** Work that a process repeats in the background until it is stopped. */
export class PollLoop {
  readonly #polling: Polling;
  readonly #ending = new AbortController();
  #isWoken = false;
  #waking = new AbortController();
  #running: Promise<unknown> | undefined;

  constructor(polling: Polling) {
    this.#polling = polling;
  }

  /** Aborted once the loop is to end. */
  get stopping(): AbortSignal {
    return this.#ending.signal;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Has the next round begin at once. A call during a round is kept for its end. */
  wake(): void {
    this.#isWoken = true;
    this.#waking.abort();
  }

  /** Ends after the round that is under way. */
  async stop(): Promise<void> {
    this.#ending.abort();
    this.#waking.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { round, failed, ended } = this.#polling;
    while (!this.stopping.aborted) {
      const isMore = await round().catch((error: unknown) => {
        failed(error);
        // Rounds that fail at once would follow each other without a pause.
        this.#isWoken = false;
        return false;
      });
      if (!isMore) await this.#wait();
    }
    await ended?.();
  }

  async #wait(): Promise<void> {
    if (!this.#isWoken && !this.stopping.aborted) {
      this.#waking = new AbortController();
      // A little jitter keeps several processes from asking at the same moments.
      await pause(this.#polling.pollMs * (0.75 + 0.5 * Math.random()), this.#waking.signal);
    }
    this.#isWoken = false;
  }
}
