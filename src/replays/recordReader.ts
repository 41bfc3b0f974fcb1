import type { Reservation } from '../admission/byteBudget.js';
import type { Connection } from '../storage/database.js';
import type { ComparedRun } from './comparer.js';
import { idsBefore, measurePage, readRecords, type RecordScope } from './records.store.js';

/** A page at most: reading more executions would block the event loop. A larger execution is a page of its own. */
const page = { records: 32, bytes: 2 * 1024 * 1024 };

/** Ids of executions that one statement finds. */
const idsAtOnce = 512;

interface Page {
  readonly runs: ComparedRun[];
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
  /** Ids of the next executions, as far as they were found. */
  #ids: readonly Buffer[] = [];
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

  /** Gives the next page of executions, and gives up the memory of the last one; empty at the end. Rejects with `overloaded`. */
  async next(): Promise<ComparedRun[]> {
    this.#reservation.shrink(this.#bytes);
    this.#bytes = 0;
    const { runs, bytes } = await (this.#ahead ?? this.#read());
    this.#bytes = bytes;
    this.#ahead = runs.length === 0 ? null : this.#read();
    // The next call of `next` rejects with its error; where there is no such call, nobody needs the error.
    this.#ahead?.catch(() => undefined);
    return runs;
  }

  /** To be awaited before the reservation is released. */
  async close(): Promise<void> {
    await this.#ahead?.catch(() => undefined);
  }

  async #read(): Promise<Page> {
    const { workspaceId } = this.#scope;
    for (;;) {
      if (this.#ids.length === 0) this.#ids = await idsBefore(this.#connection, this.#scope, this.#high, idsAtOnce);
      if (this.#ids.length === 0) return { runs: [], bytes: 0 };
      const { records, bytes: stored } = await measurePage(this.#connection, workspaceId, this.#ids, page);
      // A text of one character beyond Latin-1 takes two bytes for each.
      const bytes = 2 * stored;
      this.#reservation.grow(bytes);
      // Executions that were pruned meanwhile are not measured, and count for nothing.
      const ids = this.#ids.slice(0, Math.max(1, records));
      const runs = await readRecords(this.#connection, workspaceId, ids);
      this.#ids = this.#ids.slice(ids.length);
      this.#high = ids.at(-1) ?? this.#high;
      if (runs.length > 0) return { runs, bytes };
      this.#reservation.shrink(bytes);
    }
  }
}
