/** Reads of the clock by function nodes that make up a millisecond, about as many as take one. */
const readsPerMs = 100;

/**
 * The clock of one run. What a run sees of time must come out the same when it is repeated, however long each part takes
 * then: so the clock stands still while the run computes, and moves by what function nodes wait for.
 */
export class RunClock {
  readonly #start: number;
  readonly #began: number;
  #now: number;
  #reads = 0;

  /**
   * @param start milliseconds since the epoch at which the run begins
   * @param began the same moment as `performance.now()`
   */
  constructor(start: number, began: number) {
    this.#start = start;
    this.#began = began;
    this.#now = start;
  }

  /** Milliseconds since the epoch. */
  readonly now = (): number => this.#now;

  /** As `now`, for code that may do nothing but read the clock until it has moved: reads move it a little. */
  read(): number {
    if (++this.#reads % readsPerMs === 0) this.#now++;
    return this.#now;
  }

  /** Moves to a time that was waited for, unless it is there already. */
  reach(time: number): void {
    this.#now = Math.max(this.#now, time);
  }

  /** Moves to the real time: for answers from outside, which no repetition gets again. */
  catchUp(): void {
    this.reach(this.#start + Math.floor(performance.now() - this.#began));
  }
}
