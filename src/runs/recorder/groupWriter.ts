import { commitGroup, type CommitEvents, type Entry } from './groupCommit.js';
import type { Insert, Values } from './insert.js';

/** Rows of one statement at most: beyond this a row costs no less, and a bad one costs more. */
const maxRows = 64;
const maxBytes = 256 * 1024;
/** After a lost connection, how long new work is refused unasked. */
const refusalMs = 500;
/** How long rows wait for the end of a statement before another starts beside it: that one may be held up by a lock. */
const besideMs = 3;

export interface GroupWriterOptions {
  readonly insert: Insert;
  /** Statements that may be under way at once. */
  readonly flushers: number;
  readonly maxWaitingRows: number;
  readonly maxWaitingBytes: number;
  /** A row is given up when the database has been away for as long. */
  readonly patienceMs: number;
  readonly events: CommitEvents;
  /** How long rows wait for others when no statement is under way; 0: to the end of this turn of the event loop. */
  readonly gatherMs: number;
}

/** Why no more rows can be taken at present. */
export type Refusal = 'full' | 'unreachable';

/**
 * Group commit: rows that come while a statement is under way share the next one, so that groups are as large as the
 * load asks for and a lone row is written at once.
 */
export class GroupWriter {
  readonly #options: GroupWriterOptions;
  readonly #events: CommitEvents;
  #waiting: Entry[] = [];
  #waitingBytes = 0;
  #underWay = 0;
  #refusedUntil = 0;
  #scheduled = false;
  #timer: NodeJS.Timeout | undefined;
  #quiet: (() => void)[] = [];

  constructor(options: GroupWriterOptions) {
    this.#options = options;
    this.#events = {
      ...options.events,
      lost: () => this.#lost(),
      committed: (rows, ms) => {
        this.#refusedUntil = 0;
        options.events.committed(rows, ms);
      },
    };
  }

  /** Rows that no statement has taken yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Undefined when a row that comes now will be written soon. */
  refusal(): Refusal | undefined {
    const { maxWaitingRows, maxWaitingBytes } = this.#options;
    if (this.#refusedUntil > 0 && performance.now() < this.#refusedUntil) return 'unreachable';
    return this.#waiting.length >= maxWaitingRows || this.#waitingBytes >= maxWaitingBytes ? 'full' : undefined;
  }

  /** Resolves once the row is durable, rejects with the database's error. `group`: see `Entry`. */
  write(values: Values, bytes: number, group: string): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ values, bytes, since: performance.now(), group, done, failed });
      this.#waitingBytes += bytes;
      this.#consider();
    });
  }

  /** Resolves when nothing is left to write. */
  drain(): Promise<void> {
    if (this.#waiting.length === 0 && this.#underWay === 0) return Promise.resolve();
    return new Promise((resolve) => this.#quiet.push(resolve));
  }

  #consider(): void {
    if (this.#scheduled || this.#underWay === this.#options.flushers) return;
    const whole = this.#waiting.length >= maxRows || this.#waitingBytes >= maxBytes;
    const patienceMs = this.#underWay === 0 ? this.#options.gatherMs : besideMs;
    if (whole || patienceMs === 0) this.#schedule();
    else this.#timer ??= setTimeout(() => this.#flush(), patienceMs);
  }

  /** At the end of this turn of the event loop: what else it brings comes along. */
  #schedule(): void {
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length === 0 || this.#underWay === this.#options.flushers) return;
    this.#underWay++;
    const { insert, patienceMs } = this.#options;
    void commitGroup(this.#take(), { insert, patienceMs, events: this.#events }).then(() => {
      this.#underWay--;
      if (this.#waiting.length > 0) this.#consider();
      else if (this.#underWay === 0) for (const resolve of this.#quiet.splice(0)) resolve();
    });
    if (this.#waiting.length > 0) this.#consider();
  }

  /** The oldest rows, as many as a statement may have, and one at least. */
  #take(): Entry[] {
    let bytes = 0;
    let rows = 0;
    for (const entry of this.#waiting) {
      if (rows === maxRows || (rows > 0 && bytes + entry.bytes > maxBytes)) break;
      bytes += entry.bytes;
      rows++;
    }
    this.#waitingBytes -= bytes;
    return this.#waiting.splice(0, rows);
  }

  /** Rows that nobody has sent yet and that have waited long enough are known not to be written. */
  #lost(): void {
    this.#options.events.lost();
    const now = performance.now();
    this.#refusedUntil = now + refusalMs;
    const fresh = this.#waiting.findIndex(({ since }) => since >= now - this.#options.patienceMs);
    const overdue = this.#waiting.splice(0, fresh === -1 ? this.#waiting.length : fresh);
    for (const { bytes, failed } of overdue) {
      this.#waitingBytes -= bytes;
      failed(Object.assign(new Error('the database is away'), { code: 'ETIMEDOUT' }));
    }
  }
}
