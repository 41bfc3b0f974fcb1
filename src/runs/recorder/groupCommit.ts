import { jittered, pause } from '../../clock/timers.js';
import { isConnectionLoss, isContention } from '../../storage/mysqlErrors.js';
import type { Insert, Values } from './insert.js';

/** A row that is to be written. */
export interface Entry {
  readonly values: Values;
  /** Estimated bytes in a statement. */
  readonly bytes: number;
  /** `performance.now()` when it was handed in. */
  readonly since: number;
  /** Rows with the same parent row: a lock on that one delays only these. */
  readonly group: string;
  /** An earlier attempt may have written it. */
  readonly repeated?: boolean;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** Called as it happens; for the metrics and for admission. */
export interface CommitEvents {
  /** A statement was committed. */
  readonly committed: (rows: number, ms: number) => void;
  /** A statement was refused for one of its rows, and is written in two halves. */
  readonly bisected: () => void;
  /** The connection was lost, or the server can't serve; the statement is repeated. */
  readonly lost: () => void;
  /** A lock was in the way; the statement is repeated. */
  readonly contended: () => void;
}

interface CommitOptions {
  readonly insert: Insert;
  readonly events: CommitEvents;
  /** A row older than this is given up when an attempt fails. */
  readonly giveUpAfterMs: number;
}

const maxAttempts = 3;
const firstPauseMs = 20;
const lastPauseMs = 250;

/**
 * Writes a group of rows in one transaction and settles each of them. A row that the database refuses fails alone: the
 * statement is halved until it is found. A lost connection leaves the outcome unknown, so the statement is repeated in
 * an idempotent form. Never rejects.
 */
export async function commitGroup(entries: readonly Entry[], options: CommitOptions, repeated = false): Promise<void> {
  const { insert, events, giveUpAfterMs } = options;
  let left = entries;
  repeated ||= entries.some((entry) => entry.repeated);
  let pauseMs = firstPauseMs;
  for (let contentions = 0; left.length > 0;) {
    const start = performance.now();
    try {
      await insert(
        left.map(({ values }) => values),
        repeated,
      );
      events.committed(left.length, performance.now() - start);
      for (const { done } of left) done();
      return;
    } catch (error) {
      if (isConnectionLoss(error)) {
        events.lost();
        repeated = true;
        left = giveUp(left, giveUpAfterMs, error);
        pauseMs = Math.min(lastPauseMs, pauseMs * 2);
      } else if (isContention(error)) {
        events.contended();
        const groups = byGroup(left);
        if (groups.length > 1) {
          // Concurrently, because probably only one of them is held up.
          await Promise.all(groups.map((group) => commitGroup(group, options, repeated)));
          return;
        }
        if (++contentions === maxAttempts) left = failAll(left, error);
      } else if (left.length === 1) {
        left = failAll(left, error);
      } else {
        events.bisected();
        const middle = left.length >> 1;
        await commitGroup(left.slice(0, middle), options, repeated);
        return commitGroup(left.slice(middle), options, repeated);
      }
      if (left.length > 0) await pause(jittered(pauseMs));
    }
  }
}

function giveUp(entries: readonly Entry[], giveUpAfterMs: number, error: unknown): Entry[] {
  const limit = performance.now() - giveUpAfterMs;
  return entries.filter((entry) => {
    if (entry.since >= limit) return true;
    entry.failed(error);
    return false;
  });
}

function failAll(entries: readonly Entry[], error: unknown): [] {
  for (const { failed } of entries) failed(error);
  return [];
}

function byGroup(entries: readonly Entry[]): Entry[][] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.group);
    if (group === undefined) groups.set(entry.group, [entry]);
    else group.push(entry);
  }
  return [...groups.values()];
}
