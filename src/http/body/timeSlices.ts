import { FairQueue, type TurnRules } from '../../turns/fairQueue.js';
import type { TakesTurns } from '../../turns/largeWork.js';

interface Task {
  readonly owner: string;
  /** Does the next piece; true after the last one. */
  readonly step: () => boolean;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

const turn: TurnRules<Task> = { perTurn: () => 1, alone: () => false, may: () => true };

/**
 * Runs long work on the main thread in pieces, one for each turn of the event loop, round robin over the owners
 * (workspaces, tenants).
 */
export class TimeSlices {
  readonly #queue = new FairQueue<Task>();
  readonly #large: TakesTurns;

  constructor(large: TakesTurns) {
    this.#large = large;
  }

  /**
   * Calls `step` until it gives true, in a turn of large work. Rejects with what it throws, and with `overloaded`.
   * @param step a piece of work that takes well below a millisecond
   */
  run(owner: string, step: () => boolean): Promise<void> {
    return this.#large.during(
      owner,
      () => new Promise<void>((done, failed) => this.#wait({ owner, step, done, failed })),
    );
  }

  #wait(task: Task): void {
    if (this.#queue.size === 0) setImmediate(() => this.#turn());
    this.#queue.push(task.owner, task);
  }

  #turn(): void {
    const [task] = this.#queue.take(turn);
    if (this.#queue.size > 0) setImmediate(() => this.#turn());
    if (task === undefined) return;
    try {
      if (task.step()) task.done();
      else this.#wait(task);
    } catch (error) {
      task.failed(error);
    }
  }
}
