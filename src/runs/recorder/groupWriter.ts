import { after } from '../../clock/timers.js';
import { commitGroup, type CommitEvents, type Entry } from './groupCommit.js';
import { preparedRows, type Insert } from './insert.js';

/** Most rows of one statement: larger groups are not cheaper, and a bad row in them costs more. */
const usualRows = 64;
/** Most bytes of one statement, beyond which it only grows to the next number of rows that has a prepared statement. */
const maxBytes = 256 * 1024;
/** Milliseconds after a lost connection during which new work is refused at once. */
const refusalMs = 500;
/** Milliseconds that rows wait for a statement under way before another is started: that one may wait for a lock. */
const besideMs = 3;

interface GroupWriterOptions {
  readonly insert: Insert;
  /** Statements that may be under way at once. */
  readonly flushers: number;
  /** A row is given up when the database was unreachable for this long. */
  readonly giveUpAfterMs: number;
  readonly events: CommitEvents;
  /** How long rows wait for others when no statement is under way; 0: until the end of this round of the event loop. */
  readonly gatherMs: number;
  /** Rows of one statement at most; 64 unless it is given. */
  readonly maxRows?: number;
}

/** A row that is handed to the writer. */
export type Row = Pick<Entry, 'values' | 'bytes' | 'owner' | 'group' | 'repeated'>;

/**
 * Group commit: rows that come while a statement is under way share the next one, so that groups grow with the load and
 * a single row is written at once. Statements take rows of the owners round robin, so that one with many or large rows does not delay the others.
 * The number of waiting rows is bounded by the callers.
 */
export class GroupWriter {
  readonly #options: GroupWriterOptions;
  readonly #events: CommitEvents;
  readonly #maxRows: number;
  /** By owner; the first owner's oldest row is the next. */
  readonly #waiting = new Map<string, Entry[]>();
  #waitingRows = 0;
  #waitingBytes = 0;
  #underWay = 0;
  #refusedUntil = 0;
  #scheduled = false;
  #cancelTimer: (() => void) | undefined;
  #quiet: (() => void)[] = [];

  constructor(options: GroupWriterOptions) {
    this.#options = options;
    this.#maxRows = options.maxRows ?? usualRows;
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

  /** False for a moment after a lost connection: a new row would not be written soon. */
  get reachable(): boolean {
    return this.#refusedUntil === 0 || performance.now() >= this.#refusedUntil;
  }

  /** To be told that the database was away elsewhere, too. */
  refuse(): void {
    this.#refusedUntil = performance.now() + refusalMs;
  }

  /** Resolves once the row is durable, rejects with the database's error. */
  write(row: Row): Promise<void> {
    return new Promise((done, failed) => this.#add(row, done, failed));
  }

  /** The same for many: what refused each of them, undefined where it is durable. Never rejects. */
  writeAll(rows: readonly Row[]): Promise<readonly unknown[]> {
    if (rows.length === 0) return Promise.resolve([]);
    return new Promise((resolve) => {
      const errors = rows.map((): unknown => undefined);
      let left = rows.length;
      const done = (): void => {
        if (--left === 0) resolve(errors);
      };
      rows.forEach((row, at) =>
        this.#add(row, done, (error) => {
          errors[at] = error;
          done();
        }),
      );
    });
  }

  #add({ values, bytes, owner, group, repeated = false }: Row, done: Entry['done'], failed: Entry['failed']): void {
    const entry = { values, bytes, owner, group, repeated, since: performance.now(), done, failed };
    const own = this.#waiting.get(owner);
    if (own === undefined) this.#waiting.set(owner, [entry]);
    else own.push(entry);
    this.#waitingRows++;
    this.#waitingBytes += bytes;
    this.#consider();
  }

  /** Resolves when nothing is left to write. */
  drain(): Promise<void> {
    if (this.#waitingRows === 0 && this.#underWay === 0) return Promise.resolve();
    return new Promise((resolve) => this.#quiet.push(resolve));
  }

  #consider(): void {
    if (this.#scheduled || this.#underWay === this.#options.flushers) return;
    const whole = this.#waitingRows >= this.#maxRows || this.#waitingBytes >= maxBytes;
    const gatherMs = this.#underWay === 0 ? this.#options.gatherMs : besideMs;
    if (whole || gatherMs === 0) this.#schedule();
    else this.#cancelTimer ??= after(gatherMs, () => this.#flush());
  }

  /** At the end of this round of the event loop, so that rows which arrive in it are included. */
  #schedule(): void {
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#flush();
    });
  }

  #flush(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#waitingRows === 0 || this.#underWay === this.#options.flushers) return;
    this.#underWay++;
    const { insert, giveUpAfterMs } = this.#options;
    void commitGroup(this.#take(), { insert, giveUpAfterMs, events: this.#events }).then(() => {
      this.#underWay--;
      if (this.#waitingRows > 0) this.#consider();
      else if (this.#underWay === 0) for (const resolve of this.#quiet.splice(0)) resolve();
    });
    if (this.#waitingRows > 0) this.#consider();
  }

  /** Takes the oldest row of each owner, round robin, as many as a prepared statement may have, at least one. */
  #take(): Entry[] {
    const taken: Entry[] = [];
    const most = preparedRows(Math.min(this.#maxRows, this.#waitingRows));
    let bytes = 0;
    const fits = (entry: Entry): boolean => {
      const isFull = taken.length > 0 && bytes + entry.bytes > maxBytes;
      return taken.length < most && !(isFull && preparedRows(taken.length) === taken.length);
    };
    for (const [owner, entries] of this.#waiting) {
      // Of a single owner all rows are taken at once.
      const share = this.#waiting.size === 1 ? entries.length : 1;
      let had = 0;
      for (const entry of entries) {
        if (had === share || !fits(entry)) break;
        bytes += entry.bytes;
        taken.push(entry);
        had++;
      }
      entries.splice(0, had);
      if (had < share) break;
      // Moves the owner to the end, where the loop reaches it again.
      this.#waiting.delete(owner);
      if (entries.length > 0) this.#waiting.set(owner, entries);
    }
    this.#waitingRows -= taken.length;
    this.#waitingBytes -= bytes;
    return taken;
  }

  /** Rejects unsent rows that have waited too long: they are certainly not written. */
  #lost(): void {
    this.#options.events.lost();
    this.refuse();
    const now = performance.now();
    for (const [owner, entries] of this.#waiting) {
      const fresh = entries.findIndex(({ since }) => since >= now - this.#options.giveUpAfterMs);
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
