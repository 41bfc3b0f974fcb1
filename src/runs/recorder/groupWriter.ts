import { commitGroup, type CommitEvents, type Entry } from './groupCommit.js';
import { preparedRows, type Insert } from './insert.js';

/** Rows of one statement at most: beyond this a row costs no less, and a bad one costs more. */
const maxRows = 64;
/** Bytes of one statement at most, but for the rows that make a number for which one is prepared. */
const maxBytes = 256 * 1024;
/** After a lost connection, how long new work is refused unasked. */
const refusalMs = 500;
/** How long rows wait for the end of a statement before another starts beside it: that one may be held up by a lock. */
const besideMs = 3;

export interface GroupWriterOptions {
  readonly insert: Insert;
  /** Statements that may be under way at once. */
  readonly flushers: number;
  /** A row is given up when the database has been away for as long. */
  readonly patienceMs: number;
  readonly events: CommitEvents;
  /** How long rows wait for others when no statement is under way; 0: to the end of this turn of the event loop. */
  readonly gatherMs: number;
}

/** A row with what the writer must know of it. */
export type Row = Pick<Entry, 'values' | 'bytes' | 'owner' | 'group'>;

/**
 * Group commit: rows that come while a statement is under way share the next one, so that groups are as large as the
 * load asks for and a lone row is written at once. Owners have their rows written in turn, so that one with many or large
 * ones keeps nobody waiting; how many may wait is for those to say who hand them in.
 */
export class GroupWriter {
  readonly #options: GroupWriterOptions;
  readonly #events: CommitEvents;
  /** By owner; whose turn is next comes first. */
  readonly #waiting = new Map<string, Entry[]>();
  #waitingRows = 0;
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
    return this.#waitingRows;
  }

  waitingOf(owner: string): number {
    return this.#waiting.get(owner)?.length ?? 0;
  }

  /** False for a moment after the database was lost: a row that comes now would not be written soon. */
  get reachable(): boolean {
    return this.#refusedUntil === 0 || performance.now() >= this.#refusedUntil;
  }

  /** Resolves once the row is durable, rejects with the database's error. */
  write({ values, bytes, owner, group }: Row): Promise<void> {
    return new Promise((done, failed) => {
      const entry = { values, bytes, owner, group, since: performance.now(), done, failed };
      const own = this.#waiting.get(owner);
      if (own === undefined) this.#waiting.set(owner, [entry]);
      else own.push(entry);
      this.#waitingRows++;
      this.#waitingBytes += bytes;
      this.#consider();
    });
  }

  /** Resolves when nothing is left to write. */
  drain(): Promise<void> {
    if (this.#waitingRows === 0 && this.#underWay === 0) return Promise.resolve();
    return new Promise((resolve) => this.#quiet.push(resolve));
  }

  #consider(): void {
    if (this.#scheduled || this.#underWay === this.#options.flushers) return;
    const whole = this.#waitingRows >= maxRows || this.#waitingBytes >= maxBytes;
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
    if (this.#waitingRows === 0 || this.#underWay === this.#options.flushers) return;
    this.#underWay++;
    const { insert, patienceMs } = this.#options;
    void commitGroup(this.#take(), { insert, patienceMs, events: this.#events }).then(() => {
      this.#underWay--;
      if (this.#waitingRows > 0) this.#consider();
      else if (this.#underWay === 0) for (const resolve of this.#quiet.splice(0)) resolve();
    });
    if (this.#waitingRows > 0) this.#consider();
  }

  /** Of each owner its oldest row, over and over, as many as a prepared statement may have, and one at least. */
  #take(): Entry[] {
    const taken: Entry[] = [];
    const most = preparedRows(Math.min(maxRows, this.#waitingRows));
    let bytes = 0;
    for (const [owner, entries] of this.#waiting) {
      const [entry] = entries;
      if (entry === undefined) continue;
      const isFull = taken.length > 0 && bytes + entry.bytes > maxBytes;
      if (taken.length === most || (isFull && preparedRows(taken.length) === taken.length)) break;
      bytes += entry.bytes;
      taken.push(entry);
      entries.shift();
      // Behind all others; the loop comes to it again.
      this.#waiting.delete(owner);
      if (entries.length > 0) this.#waiting.set(owner, entries);
    }
    this.#waitingRows -= taken.length;
    this.#waitingBytes -= bytes;
    return taken;
  }

  /** Rows that nobody has sent yet and that have waited long enough are known not to be written. */
  #lost(): void {
    this.#options.events.lost();
    const now = performance.now();
    this.#refusedUntil = now + refusalMs;
    for (const [owner, entries] of this.#waiting) {
      const fresh = entries.findIndex(({ since }) => since >= now - this.#options.patienceMs);
      const overdue = entries.splice(0, fresh === -1 ? entries.length : fresh);
      if (entries.length === 0) this.#waiting.delete(owner);
      this.#waitingRows -= overdue.length;
      for (const { bytes, failed } of overdue) {
        this.#waitingBytes -= bytes;
        failed(Object.assign(new Error('the database is away'), { code: 'ETIMEDOUT' }));
      }
    }
  }
}
