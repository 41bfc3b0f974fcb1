import { after } from '../clock/timers.js';
/** Slots for pieces of work; one that finds none waits, first come first served. */
export class Semaphore {
  readonly #slots: () => number;
  readonly #waiting = new Set<(isTaken: boolean) => void>();
  #taken = 0;

  /** @param slots how many there are now; that may change */
  constructor(slots: () => number) {
    this.#slots = slots;
  }

  get idle(): boolean {
    return this.#taken === 0 && this.#waiting.size === 0;
  }

  /**
   * Resolves when there is a slot, which is the caller's until `release`; undefined where there is one at once.
   * @param maxWaitMs then it resolves with false, and the caller has no slot
   */
  acquire(maxWaitMs?: number): Promise<boolean> | undefined {
    if (this.#waiting.size === 0 && this.#taken < this.#slots()) {
      this.#taken++;
      return undefined;
    }
    return new Promise((resolve) => {
      const begin = (isTaken: boolean): void => {
        cancel?.();
        this.#waiting.delete(begin);
        resolve(isTaken);
      };
      const cancel = maxWaitMs === undefined ? undefined : after(maxWaitMs, () => begin(false));
      this.#waiting.add(begin);
    });
  }

  release(): void {
    this.#taken--;
    for (const begin of this.#waiting) {
      if (this.#taken >= this.#slots()) return;
      this.#taken++;
      begin(true);
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
