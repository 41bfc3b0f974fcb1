import type { LiveWork } from '../../turns/liveWork.js';

/** A number of places, each for one piece of work at a time; who finds none waits, first come first served. */
export class Places {
  readonly #number: () => number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  /** @param number of places now; it may change */
  constructor(number: () => number) {
    this.#number = number;
  }

  get idle(): boolean {
    return this.#taken === 0 && this.#waiting.length === 0;
  }

  /** Resolves when there is a place, which is the caller's until `leave`. */
  enter(): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#taken < this.#number()) {
      this.#taken++;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  leave(): void {
    this.#taken--;
    while (this.#waiting.length > 0 && this.#taken < this.#number()) {
      this.#taken++;
      this.#waiting.shift()?.();
    }
  }
}

/** After a pack beside live work, all batches rest for so many times as long as that took. */
const restFactor = 2;

/** Places by workspace: the batches of one share them, in turn. */
export class Lanes {
  readonly #number: () => number;
  readonly #live: LiveWork;
  readonly #lanes = new Map<string, Places>();
  readonly #besideLiveWork = new Places(() => 1);

  /** @param number of places of each workspace */
  constructor(number: () => number, live: LiveWork) {
    this.#number = number;
    this.#live = live;
  }

  /**
   * Does the work of a pack: at once, unless others have single executions. Then there is one pack at a time, of whatever
   * batch, and a rest after it, so that main thread, threads and database are free most of the time.
   */
  async considerately<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    if (!this.#live.besides(workspaceId)) return work();
    await this.#besideLiveWork.enter();
    const start = performance.now();
    try {
      return await work();
    } finally {
      const rested = (): void => this.#besideLiveWork.leave();
      setTimeout(rested, this.#live.besides(workspaceId) ? restFactor * (performance.now() - start) : 0);
    }
  }

  async within<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    let lane = this.#lanes.get(workspaceId);
    if (lane === undefined) this.#lanes.set(workspaceId, (lane = new Places(this.#number)));
    await lane.enter();
    try {
      return await work();
    } finally {
      lane.leave();
      if (lane.idle) this.#lanes.delete(workspaceId);
    }
  }
}
