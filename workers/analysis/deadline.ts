/** When work has to end. */
export interface Deadline {
  /** `performance.now()` milliseconds. */
  readonly at: number;
  isOver(): boolean;
}

/** @param isStopped true once nobody waits for the work any more */
export const deadlineAt = (at: number, isStopped: () => boolean = () => false): Deadline => ({
  at,
  isOver: () => performance.now() > at || isStopped(),
});

/** For work that ends by itself. */
export const noDeadline = deadlineAt(Infinity);
