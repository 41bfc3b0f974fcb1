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

/** Places by workspace: the batches of one share them, in turn. */
export class Lanes {
  readonly #number: () => number;
  readonly #lanes = new Map<string, Places>();

  /** @param number of places of each workspace */
  constructor(number: () => number) {
    this.#number = number;
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
