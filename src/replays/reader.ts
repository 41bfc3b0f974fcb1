import type { Reservation } from '../http/body/byteBudget.js';
import { idToBytes } from '../storage/ids.js';
import type { Connection } from '../storage/database.js';
import {
  measurePage,
  readRecords,
  windowBefore,
  type RecordedRun,
  type RecordScope,
  type Window,
} from './records.store.js';

/** A page at most: reading more executions would block the event loop. A larger execution is a page of its own. */
const page = { records: 32, bytes: 2 * 1024 * 1024 };

interface Page {
  readonly runs: RecordedRun[];
  /** What is reserved for the runs. */
  readonly bytes: number;
}

/** Reads the executions of a replay, the newest first, each page while the one before is worked on. */
export class RecordReader {
  readonly #connection: Connection;
  readonly #scope: RecordScope;
  readonly #reservation: Reservation;
  /** All executions from this id on were read. */
  #high: Buffer;
  #window: Window | null = null;
  #ahead: Promise<Page> | null = null;
  /** What is reserved for the page that was given last. */
  #bytes = 0;

  /**
   * @param before the id before which to begin
   * @param reservation of the workspace, which is charged with the pages
   */
  constructor(
    connection: Connection,
    scope: RecordScope,
    { before, reservation }: { before: Buffer; reservation: Reservation },
  ) {
    this.#connection = connection;
    this.#scope = scope;
    this.#reservation = reservation;
    this.#high = before;
  }

  /** Some of the next executions, in place of those that were given last; empty at the end. Rejects with `overloaded`. */
  async next(): Promise<RecordedRun[]> {
    this.#reservation.shrink(this.#bytes);
    this.#bytes = 0;
    const { runs, bytes } = await (this.#ahead ?? this.#read());
    this.#bytes = bytes;
    this.#ahead = runs.length === 0 ? null : this.#read();
    // The next call of `next` rejects with it; there may be no such call.
    this.#ahead?.catch(() => undefined);
    return runs;
  }

  /** To be awaited before the reservation is released. */
  async close(): Promise<void> {
    await this.#ahead?.catch(() => undefined);
  }

  async #read(): Promise<Page> {
    for (;;) {
      this.#window ??= await windowBefore(this.#connection, this.#scope, this.#high);
      if (this.#window === null) return { runs: [], bytes: 0 };
      const window = { ...this.#window, high: this.#high };
      const { records, bytes: stored } = await measurePage(this.#connection, this.#scope, window, page);
      if (records === 0) {
        this.#high = this.#window.low;
        this.#window = null;
        continue;
      }
      // A text of one character beyond Latin-1 takes two bytes for each.
      const bytes = 2 * stored;
      this.#reservation.grow(bytes);
      const runs = await readRecords(this.#connection, this.#scope, window, records);
      const last = runs.at(-1);
      if (last !== undefined) this.#high = idToBytes(last.id);
      if (last !== undefined) return { runs, bytes };
      // The executions were pruned after they were measured.
      this.#reservation.shrink(bytes);
    }
  }
}
