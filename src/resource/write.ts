import type { Knex } from 'knex';
import type { AuditAction } from '../audit/actions.js';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, changeEntry, type NewAuditEntry } from '../audit/audit.store.js';
import { inTransaction } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';

export interface Writing<Ref, S> {
  readonly actor: Actor;
  readonly ref: Ref;
  /** Called with what is there once it is locked: throws `precondition_failed` where If-Match names another. */
  readonly match: (present: S | undefined) => void;
}

interface Done<S> {
  /** What is there now; null where it was removed. */
  readonly after: S | null;
  readonly action?: AuditAction;
  /** Entries of other resources that the write changed too. */
  readonly entries?: readonly NewAuditEntry[];
}

interface Written<S, Present extends S | undefined> {
  readonly database: Knex;
  readonly workspaceId: string;
  /** As audit entries name it. */
  readonly resource: NewAuditEntry['resource'];
  /** What is there, held until the transaction ends, so that its writers take turns. Rejects with the 404. */
  readonly find: (transaction: Knex.Transaction) => Promise<Present>;
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

/** How many of some rows are a workspace's; it stays locked, so that nobody makes one more. */
export async function countHeld(
  transaction: Knex.Transaction,
  workspaceId: string,
  rows: Knex.QueryBuilder,
): Promise<number> {
  const workspace = idToBytes(workspaceId);
  await transaction('workspaces').select('id').where('id', workspace).forUpdate();
  return (await rows.where('workspace_id', workspace).pluck('id')).length;
}
