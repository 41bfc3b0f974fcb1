import { EngineError } from './errors.js';

/** Most bytes of one program by default. */
const usualBytes = 48 * 1024 * 1024;
/** Most work of compiling one program's regular expressions, in steps as `patternSize` counts them: about a second. */
const maxWork = 5_000_000;

/**
 * Counts the memory that a program keeps on its thread, as its parts are made, many of them while it runs. The parts'
 * sizes are estimates from measurements, right within a factor of two or three.
 */
export class Footprint {
  #bytes = 0;
  #work = 0;
  readonly #maxBytes: number;
  readonly #onGrowth: (bytes: number) => void;

  /** @param onGrowth is called with the bytes that were added */
  constructor(maxBytes = usualBytes, onGrowth: (bytes: number) => void = () => undefined) {
    this.#maxBytes = maxBytes;
    this.#onGrowth = onGrowth;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether this many more bytes may be kept. */
  hasRoomFor(bytes: number): boolean {
    return this.#bytes + bytes <= this.#maxBytes;
  }

  /**
   * Adds bytes that are kept from now on.
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
   * Adds work that is about to be done.
   * @throws EngineError `limit_program` when it would be more than one program may take
   */
  addWork(steps: number): void {
    this.#work += steps;
    if (this.#work > maxWork) {
      throw new EngineError('limit_program', "The model's regular expressions are too many and too large together.");
    }
  }
}
