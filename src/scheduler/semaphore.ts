/** Slots for pieces of work; one that finds none waits, first come first served. */
export class Semaphore {
  readonly #slots: () => number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  /** @param slots how many there are now; that may change */
  constructor(slots: () => number) {
    this.#slots = slots;
  }

  get idle(): boolean {
    return this.#taken === 0 && this.#waiting.length === 0;
  }

  /** Resolves when there is a slot, which is the caller's until `release`; undefined where there is one at once. */
  acquire(): Promise<void> | undefined {
    if (this.#waiting.length === 0 && this.#taken < this.#slots()) {
      this.#taken++;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    this.#taken--;
    while (this.#waiting.length > 0 && this.#taken < this.#slots()) {
      this.#taken++;
      this.#waiting.shift()?.();
    }
  }
}

/** A semaphore for each workspace that has work. */
export class WorkspaceSemaphores {
  readonly #slots: () => number;
  readonly #semaphores = new Map<string, Semaphore>();

  /** @param slots of each workspace */
  constructor(slots: () => number) {
    this.#slots = slots;
  }

  async within<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    let semaphore = this.#semaphores.get(workspaceId);
    if (semaphore === undefined) this.#semaphores.set(workspaceId, (semaphore = new Semaphore(this.#slots)));
    await semaphore.acquire();
    try {
      return await work();
    } finally {
      semaphore.release();
      if (semaphore.idle) this.#semaphores.delete(workspaceId);
    }
  }
}
