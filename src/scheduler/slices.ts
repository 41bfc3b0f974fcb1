import { maxSliceLeadMs, newBody } from './constants.js';
import { FairQueue, type TakeRules } from './fairQueue.js';
import type { Scheduler } from './scheduler.js';

interface Task {
  readonly owner: string;
  /** Does the next piece; true after the last one. */
  readonly step: () => boolean;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

const one: TakeRules<Task> = { most: () => 1, alone: () => true, may: () => true };

/** Runs long work on the main thread in slices, one in each round of the event loop, fair between workspaces by time used. */
export class Slices {
  readonly #queue = new FairQueue<Task>(maxSliceLeadMs);
  readonly #scheduler: Pick<Scheduler, 'yieldToLive'>;

  constructor(scheduler: Pick<Scheduler, 'yieldToLive'>) {
    this.#scheduler = scheduler;
  }

  /**
   * Calls `step` until it gives true, as a piece of bulk work. Rejects with what it throws, and with `overloaded`.
   * @param step a piece of work that takes well below a millisecond
   */
  run(owner: string, step: () => boolean): Promise<void> {
    const sliced = (): Promise<void> => new Promise((done, failed) => this.#push({ owner, step, done, failed }));
    return this.#scheduler.yieldToLive(owner, sliced, newBody);
  }

  #push(task: Task): void {
    if (this.#queue.size === 0) setImmediate(() => this.#next());
    this.#queue.push(task.owner, task);
  }

  #next(): void {
    const [task] = this.#queue.take(one);
    if (this.#queue.size > 0) setImmediate(() => this.#next());
    if (task === undefined) return;
    const since = performance.now();
    try {
      if (task.step()) task.done();
      else this.#push(task);
    } catch (error) {
      task.failed(error);
    }
    this.#queue.charge(task.owner, performance.now() - since);
  }
}
