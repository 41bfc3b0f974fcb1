import type { Knex } from 'knex';
import type { ByteBudget } from '../admission/byteBudget.js';
import { idFromBytes, idTime, idToBytes, lowestIdAt } from '../storage/ids.js';
import { addedMs } from './alteration.js';
import type { KeptHeads } from './keptHeads.js';
import type { EvidenceKeys } from './keys.js';
import { growTree } from './grow.js';
import type { Records } from './records.js';
import { fitting, spanAfter, withoutLeaf, type Kind } from './subjects.store.js';
import { findTree, moveCursor } from './trees.store.js';

export interface FollowerDependencies {
  readonly database: Knex;
  readonly keys: EvidenceKeys;
  readonly records: Records;
  readonly budget: ByteBudget;
  readonly originOf: (workspaceId: string) => string;
  readonly kept: KeptHeads;
  /** Records may be committed so long after the moment in their id, in milliseconds. */
  readonly lateMs: number;
  /** Resolves when the next piece may begin. */
  readonly rest: (tookMs: number) => Promise<void>;
  /** Is told that the tree of that workspace has grown. */
  readonly grown: (workspaceId: string) => void;
}

/** Ids that one statement looks at. */
const spanSize = 2000;
/** What is read at once; a record that is larger goes alone. */
const piece = { records: 512, bytes: 1024 * 1024 };
/** How often all ids whose records may still be committed are looked at. */
const thoroughMs = 4000;
/** Ids of this age are looked at in each round: nearly all records are committed within it. */
const recentMs = 5000;
/** A cursor is written to the database only when it has moved on by so much, so that it is not written all the time. */
const cursorMs = 60_000;
/** How far back the slow search goes for records whose ids tell a wrong time, or that were held up for longer. */
const searchedMs = 24 * 60 * 60 * 1000;
/**
 * A record of a server whose clock is ahead has its leaf when its time has come: what others record meanwhile, which has leaves after
 * it, would look as if it had been added. Where its clock is days ahead it is not waited for.
 */
const ahead = { from: addedMs / 2, to: searchedMs };
/** Between two such searches. */
const searchApartMs = 5000;

/**
 * Follows one kind of record of one workspace. Ids are not committed in their order: a record may come later than others
 * with higher ids. So what was made recently is looked at again and again, for what has no leaf.
 */
export class Follower {
  readonly #parts: FollowerDependencies;
  readonly #kind: Kind;
  readonly #workspaceId: string;
  /** All records up to this id have leaves, and no further record with a lower id is expected. Undefined before it was read. */
  #cursor: Buffer | undefined;
  #stored: Buffer = Buffer.alloc(16);
  /** Where the next slice goes on, and whether this pass began at the cursor; undefined once the pass has reached the end. */
  #resume: { readonly from: Buffer; readonly isThorough: boolean } | undefined;
  #thoroughAt = -Infinity;
  /** Where the search goes on, and when it reached the end the last time. */
  #searching: Buffer | undefined;
  #searchedAt = -Infinity;
  /** The newest record when the last slice began. */
  #newest: Buffer = Buffer.alloc(16);

  constructor(parts: FollowerDependencies, kind: Kind, workspaceId: string) {
    this.#parts = parts;
    this.#kind = kind;
    this.#workspaceId = workspaceId;
  }

  /**
   * Whether there may be records without a leaf, at which this round looks. Where the newest record is one that was there at the
   * last look and is older than what each round looks at, the rest is looked at every so often. @param newest its id
   */
  isDue(newest: Buffer): boolean {
    if (this.#resume !== undefined || this.#cursor === undefined || !newest.equals(this.#newest)) return true;
    const age = Date.now() - timeOf(newest);
    return age <= recentMs || (age < this.#parts.lateMs + 2 * thoroughMs && this.#isThoroughDue());
  }

  /** Whether records have come lately. */
  get isActive(): boolean {
    return timeOf(this.#newest) > Date.now() - this.#parts.lateMs;
  }

  /** Gives leaves to records that have none, a few pieces of them. True where more are left. */
  async workSlice(newest: Buffer, maxPieces: number): Promise<boolean> {
    const cursor = (this.#cursor ??= await this.#readCursor());
    const now = Date.now();
    const { from, isThorough } = this.#resume ?? this.#begin(cursor, newest, now);
    const { until, isEnd } = await this.#follow(from, maxPieces);
    this.#newest = newest;
    this.#resume = isEnd ? undefined : { from: until, isThorough };
    if (isThorough) await this.#settle(until, { now, isEnd });
    return !isEnd;
  }

  /** Where the newest record is new to this follower and its id is old, it was committed late. Others may be too, so all are looked at. */
  #begin(cursor: Buffer, newest: Buffer, now: number): { readonly from: Buffer; readonly isThorough: boolean } {
    const isLate = !newest.equals(this.#newest) && timeOf(newest) < now - recentMs;
    const isThorough = isLate || this.#isThoroughDue();
    if (isThorough) this.#thoroughAt = performance.now();
    return { from: isThorough ? cursor : later(cursor, lowestIdAt(new Date(now - recentMs))), isThorough };
  }

  #isThoroughDue(): boolean {
    return performance.now() - this.#thoroughAt >= thoroughMs;
  }

  /** Looks at the next ids of the last day, for records that were committed later than they should be. */
  async search(): Promise<void> {
    if (this.#cursor === undefined || this.#resume !== undefined) return;
    if (this.#searching === undefined && performance.now() - this.#searchedAt < searchApartMs) return;
    const first = lowestIdAt(new Date(Date.now() - searchedMs));
    const after = later(this.#searching ?? first, first);
    const reached = Buffer.compare(after, this.#cursor) < 0 ? await this.#follow(after, 1) : undefined;
    this.#searching = reached === undefined || reached.isEnd ? undefined : reached.until;
    if (this.#searching === undefined) this.#searchedAt = performance.now();
  }

  async #readCursor(): Promise<Buffer> {
    const tree = await findTree(this.#parts.database, this.#workspaceId);
    this.#stored = Buffer.from(tree?.cursors[this.#kind] ?? Buffer.alloc(16));
    return this.#stored;
  }

  async #follow(from: Buffer, maxPieces: number): Promise<{ readonly until: Buffer; readonly isEnd: boolean }> {
    const { database, rest } = this.#parts;
    let after = from;
    let began = performance.now();
    for (let pieces = 0; pieces < maxPieces; pieces++) {
      if (pieces > 0) await rest(performance.now() - began);
      began = performance.now();
      const span = await spanAfter(database, this.#kind, this.#workspaceId, { after, size: spanSize });
      if (span === null) return { until: after, isEnd: true };
      const { until } = span;
      const size = piece.records;
      const ids = await withoutLeaf(database, this.#kind, this.#workspaceId, { after, until, size, ahead });
      if (ids.length > 0) {
        after = (await this.#append(ids)) ?? after;
        // The rest of the span is looked at again.
        if (ids.length === size || !after.equals(ids.at(-1) ?? until)) continue;
      }
      after = until;
      if (!span.isFull) return { until, isEnd: true };
    }
    return { until: after, isEnd: false };
  }

  /**
   * Gives leaves to the first of the subjects, as many as are read at once; the last of them. Undefined where another process
   * was first with any of them, and nothing was written.
   */
  async #append(ids: readonly Buffer[]): Promise<Buffer | undefined> {
    const { database, budget } = this.#parts;
    const [workspaceId, kind] = [this.#workspaceId, this.#kind];
    const some = await fitting(database, kind, { workspaceId, ids, maxBytes: piece.bytes });
    const last = some.ids.at(-1);
    // They were deleted meanwhile.
    if (last === undefined) return ids.at(-1);
    // A text of one character beyond Latin-1 takes two bytes for each.
    const reservation = budget.reserve(workspaceId, 2 * some.bytes);
    try {
      const subjects = { kind, workspaceId, ids: some.ids };
      const records = this.#parts.records.each(subjects, reservation);
      const grown = await growTree(this.#parts, { kind, workspaceId, records });
      if (grown?.last === undefined) return grown && last;
      this.#parts.grown(workspaceId);
      return grown.isWhole ? last : idToBytes(grown.last);
    } finally {
      reservation.release();
    }
  }

  /** Moves the cursor to the newest id before which no record is committed any more. */
  async #settle(reached: Buffer, { now, isEnd }: { readonly now: number; readonly isEnd: boolean }): Promise<void> {
    const settled = lowestIdAt(new Date(now - this.#parts.lateMs));
    const cursor = isEnd || Buffer.compare(reached, settled) > 0 ? settled : reached;
    this.#cursor = later(this.#cursor ?? cursor, cursor);
    if (timeOf(this.#cursor) - timeOf(this.#stored) < cursorMs) return;
    await moveCursor(this.#parts.database, this.#workspaceId, { kind: this.#kind, to: this.#cursor });
    this.#stored = this.#cursor;
  }
}

const later = (one: Buffer, other: Buffer): Buffer => (Buffer.compare(one, other) > 0 ? one : other);
const timeOf = (id: Buffer): number => idTime(idFromBytes(id)).getTime();
