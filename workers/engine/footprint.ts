import { EngineError } from './errors.js';

/** Memory of one program, where nobody says how much it may be. */
const usualBytes = 48 * 1024 * 1024;
/** Work of the compilation of one program's patterns, in steps as `patternSize` counts them: about a second. */
const maxWork = 5_000_000;

/**
 * What a program keeps of its thread's memory: bytes that are counted as its parts are made, many of them while it runs.
 * Each part says what it takes by what it was found to take, within a factor of two or three.
 */
export class Footprint {
  #bytes = 0;
  #work = 0;
  readonly #maxBytes: number;
  readonly #onGrowth: (bytes: number) => void;

  /** @param onGrowth is called with the bytes that have come */
  constructor(maxBytes = usualBytes, onGrowth: (bytes: number) => void = () => undefined) {
    this.#maxBytes = maxBytes;
    this.#onGrowth = onGrowth;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether so much more may be kept. */
  hasRoomFor(bytes: number): boolean {
    return this.#bytes + bytes <= this.#maxBytes;
  }

  /**
   * Counts what is kept from now on.
   * @throws EngineError `limit_program` when the program would take more than it may
   */
  add(bytes: number): void {
    if (!this.hasRoomFor(bytes)) {
      const most = Math.floor(this.#maxBytes / 1024 / 1024);
      throw new EngineError('limit_program', `The model takes more than ${most} MiB of memory when it is compiled.`);
    }
    this.#bytes += bytes;
    this.#onGrowth(bytes);
  }

  /**
   * Counts work that is about to be done.
   * @throws EngineError `limit_program` when it would be more than one program may take
   */
  addWork(steps: number): void {
    this.#work += steps;
    if (this.#work > maxWork) {
      throw new EngineError('limit_program', "The model's regular expressions are too many and too large together.");
    }
  }
}
