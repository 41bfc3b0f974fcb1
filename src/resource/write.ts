import type { Knex } from 'knex';
import type { AuditAction } from '../audit/actions.js';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, changeEntry, type NewAuditEntry } from '../audit/audit.store.js';
import { inTransaction } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';

/** Who writes what, and in which state. */
export interface Writing<Ref, S> {
  readonly actor: Actor;
  readonly ref: Ref;
  /**
   * To be called with what is there once it is locked, and before anything is looked at that may forbid the write. Throws
   * `precondition_failed` where that is not what the request's If-Match names.
   */
  readonly match: (present: S | undefined) => void;
}

/** What a write has done. */
interface Done<S> {
  /** What is there now; null where it was removed. */
  readonly after: S | null;
  /** What its entry calls the write, where it is not one of `changeEntry`'s. */
  readonly action?: AuditAction;
  /** Entries of other resources that the write changed too. */
  readonly entries?: readonly NewAuditEntry[];
}

/** One resource of a workspace, as it is written. */
interface Written<S, Present extends S | undefined> {
  readonly database: Knex;
  readonly workspaceId: string;
  /** As audit entries name it. */
  readonly resource: NewAuditEntry['resource'];
  /** What is there, held until the transaction ends, so that its writers take turns. Rejects with the 404. */
  readonly find: (transaction: Knex.Transaction) => Promise<Present>;
  /** What audit entries show of it; all of it where this is left out. */
  readonly audited?: (stored: S) => object;
}

/**
 * Writes one resource in a transaction, in the order that src/api/README.md promises: what is there is found (404) and held
 * against what the client has seen (412) before `work` looks at what may forbid the write (409), and does it. The audit entry
 * is written with it; there is none where `work` leaves what was there.
 */
export function writeResource<S extends object, Present extends S | undefined, R extends Done<S>>(
  { database, workspaceId, resource, find, audited = (stored) => stored }: Written<S, Present>,
  { actor, match }: Pick<Writing<unknown, S>, 'actor' | 'match'>,
  work: (transaction: Knex.Transaction, present: Present) => Promise<R>,
): Promise<R> {
  return inTransaction(database, async (transaction) => {
    const present = await find(transaction);
    match(present);
    const done = await work(transaction, present);
    const { after, action, entries = [] } = done;
    if (after === (present ?? null)) return done;
    const states = { before: present === undefined ? null : audited(present), after: after && audited(after) };
    const entry = changeEntry(actor, workspaceId, { resource, ...states });
    await appendAuditEntries(transaction, [...entries, { ...entry, action: action ?? entry.action }]);
    return done;
  });
}

/**
 * How many of some rows are a workspace's.
 * @param transaction holds the workspace until its end, so that nobody makes one more meanwhile
 */
export async function countHeld(
  transaction: Knex.Transaction,
  workspaceId: string,
  rows: Knex.QueryBuilder,
): Promise<number> {
  const workspace = idToBytes(workspaceId);
  await transaction('workspaces').select('id').where('id', workspace).forUpdate();
  return (await rows.where('workspace_id', workspace).pluck('id')).length;
}
