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

  /** How many are taken. */
  get taken(): number {
    return this.#taken;
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

  /** Takes a slot, even where there is none: for work that is under way already. */
  force(): void {
    this.#taken++;
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

/** A semaphore for each name (a workspace, a row, a receiver) that holds something. */
export class Semaphores {
  readonly #slots: (name: string) => number;
  readonly #semaphores = new Map<string, Semaphore>();

  /** @param slots of each name */
  constructor(slots: (name: string) => number) {
    this.#slots = slots;
  }

  /** How many slots of the name are taken. */
  taken(name: string): number {
    return this.#semaphores.get(name)?.taken ?? 0;
  }

  /** Whether the name has a slot left. */
  hasRoom(name: string): boolean {
    return this.taken(name) < this.#slots(name);
  }

  /** Takes a slot without waiting, even where there is none. */
  force(name: string): void {
    this.#of(name).force();
  }

  /** Gives back what `force` took. */
  release(name: string): void {
    const semaphore = this.#of(name);
    semaphore.release();
    if (semaphore.idle) this.#semaphores.delete(name);
  }

  /** Does work of the name once it has a slot, in order of arrival. */
  async within<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.#of(name).acquire();
    try {
      return await work();
    } finally {
      this.release(name);
    }
  }

  #of(name: string): Semaphore {
    let semaphore = this.#semaphores.get(name);
    if (semaphore === undefined) this.#semaphores.set(name, (semaphore = new Semaphore(() => this.#slots(name))));
    return semaphore;
  }
}
