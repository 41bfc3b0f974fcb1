import { idToBytes } from '../storage/ids.js';
import type { Connection } from '../storage/database.js';
import { readRecords, windowBefore, type RecordedRun, type RecordScope, type Window } from './records.store.js';

/** Executions that are read at once: reading more holds the event loop up. */
const pageSize = 32;

/** Reads the executions of a replay, the newest first, each page while the one before is worked on. */
export class RecordReader {
  readonly #connection: Connection;
  readonly #scope: RecordScope;
  /** Everything from there on was read. */
  #high: Buffer;
  #window: Window | null = null;
  #ahead: Promise<RecordedRun[]> | null = null;

  /** @param before the id before which to begin */
  constructor(connection: Connection, scope: RecordScope, before: Buffer) {
    this.#connection = connection;
    this.#scope = scope;
    this.#high = before;
  }

  /** Some of the next executions; empty at the end. */
  async next(): Promise<RecordedRun[]> {
    const page = await (this.#ahead ?? this.#read());
    this.#ahead = page.length === 0 ? null : this.#read();
    // Whoever asks for it hears of it; nobody may ask.
    this.#ahead?.catch(() => undefined);
    return page;
  }

  async #read(): Promise<RecordedRun[]> {
    for (;;) {
      this.#window ??= await windowBefore(this.#connection, this.#scope, this.#high);
      if (this.#window === null) return [];
      const page = await readRecords(this.#connection, this.#scope, { ...this.#window, high: this.#high }, pageSize);
      const last = page.at(-1);
      if (page.length < pageSize || last === undefined) {
        this.#high = this.#window.low;
        this.#window = null;
      } else this.#high = idToBytes(last.id);
      if (page.length > 0) return page;
    }
  }
}
