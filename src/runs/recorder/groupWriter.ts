import { FairQueue, type TakeRules } from '../../admission/fairQueue.js';
import type { Owner } from '../../admission/owners.js';
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
export type Row = Pick<Entry, 'values' | 'bytes' | 'group' | 'repeated'> & { readonly owner: Owner };

/**
 * Group commit: rows that come while a statement is under way share the next one, so that groups grow with the load and
 * a single row is written at once. Next is a row of the tenant, and in it of the workspace, that has written the fewest bytes: one with
 * many or large rows does not delay the others. The number of waiting rows is bounded by the callers.
 */
export class GroupWriter {
  readonly #options: GroupWriterOptions;
  readonly #events: CommitEvents;
  readonly #maxRows: number;
  readonly #waiting = new FairQueue<Entry>(maxBytes, ({ bytes }) => bytes);
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
    return this.#waiting.size;
  }

  waitingOf(owner: Owner): number {
    return this.#waiting.sizeOf(owner);
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
  write({ values, bytes, owner, group, repeated = false }: Row): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push(owner, { values, bytes, group, repeated, since: performance.now(), done, failed });
      this.#waitingBytes += bytes;
      this.#consider();
    });
  }

  /** Resolves when nothing is left to write. */
  drain(): Promise<void> {
    if (this.#waiting.size === 0 && this.#underWay === 0) return Promise.resolve();
    return new Promise((resolve) => this.#quiet.push(resolve));
  }

  #consider(): void {
    if (this.#scheduled || this.#underWay === this.#options.flushers) return;
    const whole = this.#waiting.size >= this.#maxRows || this.#waitingBytes >= maxBytes;
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
    if (this.#waiting.size === 0 || this.#underWay === this.#options.flushers) return;
    this.#underWay++;
    const { insert, giveUpAfterMs } = this.#options;
    void commitGroup(this.#take(), { insert, giveUpAfterMs, events: this.#events }).then(() => {
      this.#underWay--;
      if (this.#waiting.size > 0) this.#consider();
      else if (this.#underWay === 0) for (const resolve of this.#quiet.splice(0)) resolve();
    });
    if (this.#waiting.size > 0) this.#consider();
  }

  /** Takes as many rows as a prepared statement may have, at least one. */
  #take(): Entry[] {
    const taken: Entry[] = [];
    const most = preparedRows(Math.min(this.#maxRows, this.#waiting.size));
    let rows = 0;
    let bytes = 0;
    const rules: TakeRules<Entry> = {
      // Rows of one workspace alone are taken at once; of several, one is taken in each turn.
      most: () => (this.#waiting.isShared ? 1 : most - taken.length),
      alone: () => false,
      // Whatever may be taken is, so that this is where it counts.
      may: (entry) => {
        if (rows > 0 && bytes + entry.bytes > maxBytes && preparedRows(rows) === rows) return false;
        rows++;
        bytes += entry.bytes;
        return true;
      },
    };
    while (taken.length < most) {
      const next = this.#waiting.take(rules);
      if (next.length === 0) break;
      taken.push(...next);
    }
    this.#waitingBytes -= bytes;
    return taken;
  }

  /** Rejects unsent rows that have waited too long: they are certainly not written. */
  #lost(): void {
    this.#options.events.lost();
    this.refuse();
    const limit = performance.now() - this.#options.giveUpAfterMs;
    for (const { bytes, failed } of this.#waiting.extract(({ since }) => since < limit)) {
      this.#waitingBytes -= bytes;
      failed(Object.assign(new Error('the database is away'), { code: 'ETIMEDOUT' }));
    }
  }
}
