import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { inTransaction, type Connection } from '../storage/database.js';
import { inMs, longestDue, now } from '../storage/databaseClock.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import type { ResourceRef } from '../storage/resourceTable.js';

/** Which executions: all with a reference, or some by name. */
export type Erased = { readonly reference: string } | { readonly executionIds: readonly string[] };

/** An erasure that this process may work on until its lease ends. */
export interface ClaimedErasure extends ResourceRef {
  /** Null where executions are named one by one. */
  readonly reference: string | null;
  /** Who asked for it. */
  readonly actor: Actor;
  /** Executions that were erased by it so far. */
  readonly erased: number;
  /** By the database's clock. */
  readonly ageMs: number;
}

interface Row {
  readonly id: Buffer;
  readonly workspace_id: Buffer;
  readonly reference: string | null;
  readonly principal: string;
  readonly request_id: Buffer | null;
  readonly erased: number;
  readonly age_us: number | string;
}

/** Rows of one statement. */
const rowsPerStatement = 500;

/** Writes an erasure that is to be taken up at once. */
export async function insertErasure(
  transaction: Knex.Transaction,
  { workspaceId, id }: ResourceRef,
  { actor, erased }: { readonly actor: Actor; readonly erased: Erased },
): Promise<void> {
  const owner = { workspace_id: idToBytes(workspaceId) };
  await transaction('erasures').insert({
    ...owner,
    id: idToBytes(id),
    reference: 'reference' in erased ? erased.reference : null,
    principal: actor.principal.slice(0, 255),
    request_id: actor.requestId === null ? null : idToBytes(actor.requestId),
    due_at: transaction.raw(now),
    created_at: transaction.raw(now),
  });
  if ('reference' in erased) return;
  const executions = [...new Set(erased.executionIds.map((one) => one.toLowerCase()))];
  for (let from = 0; from < executions.length; from += rowsPerStatement)
    await transaction('erasure_executions').insert(
      executions
        .slice(from, from + rowsPerStatement)
        .map((one) => ({ ...owner, erasure_id: idToBytes(id), execution_id: idToBytes(one) })),
    );
}

/** Erasures of a workspace that are not done, as far as they are fewer than so many. */
export async function countErasures(connection: Connection, workspaceId: string, most: number): Promise<number> {
  const rows = await connection('erasures').where('workspace_id', idToBytes(workspaceId)).limit(most).pluck('id');
  return (rows as Buffer[]).length;
}

/** Takes the erasure that has been due for the longest, and that nobody else is taking. Undefined where none is due. */
export function claimErasure(database: Knex, leaseMs: number): Promise<ClaimedErasure | undefined> {
  return inTransaction(database, async (transaction) => {
    const rows = transaction('erasures')
      .select('id', 'workspace_id', 'reference', 'principal', 'request_id', 'erased')
      .select({ age_us: transaction.raw(`TIMESTAMPDIFF(MICROSECOND, created_at, ${now})`) });
    const [row] = (await longestDue(rows)) as Row[];
    if (row === undefined) return undefined;
    await transaction('erasures')
      .where({ workspace_id: row.workspace_id, id: row.id })
      .update({ due_at: inMs(transaction, leaseMs) });
    return {
      workspaceId: idFromBytes(row.workspace_id),
      id: idFromBytes(row.id),
      reference: row.reference,
      actor: {
        principal: row.principal,
        requestId: row.request_id === null ? null : idFromBytes(row.request_id),
      },
      erased: row.erased,
      ageMs: Number(row.age_us) / 1000,
    };
  });
}

const one = (connection: Connection, { workspaceId, id }: ResourceRef): Knex.QueryBuilder =>
  connection('erasures').where({ workspace_id: idToBytes(workspaceId), id: idToBytes(id) });

const named = (connection: Connection, { workspaceId, id }: ResourceRef): Knex.QueryBuilder =>
  connection('erasure_executions').where({ workspace_id: idToBytes(workspaceId), erasure_id: idToBytes(id) });

/** The next of the executions that an erasure names, ascending. */
export async function namedExecutions(
  connection: Connection,
  ref: ResourceRef,
  { after, size }: { readonly after: Buffer; readonly size: number },
): Promise<string[]> {
  const ids = (await named(connection, ref)
    .where('execution_id', '>', after)
    .orderBy('execution_id')
    .limit(size)
    .pluck('execution_id')) as Buffer[];
  return ids.map(idFromBytes);
}

/** Notes that nothing is left of these executions. @param erased how many of them had not been erased before */
export async function noteErased(
  transaction: Knex.Transaction,
  ref: ResourceRef,
  { ids, erased }: { readonly ids: readonly string[]; readonly erased: number },
): Promise<void> {
  await named(transaction, ref).whereIn('execution_id', ids.map(idToBytes)).delete();
  await one(transaction, ref).update({ erased: transaction.raw('erased + ?', [erased]) });
}

/** It is taken up again after so many milliseconds, or by another process once they are over. */
export async function postponeErasure(connection: Connection, ref: ResourceRef, afterMs: number): Promise<void> {
  await one(connection, ref).update({ due_at: inMs(connection, afterMs) });
}

export async function deleteErasure(connection: Connection, ref: ResourceRef): Promise<void> {
  await one(connection, ref).delete();
}
