import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { eraseOutcomes } from '../replays/outcomes/outcomes.store.js';
import type { Connection } from '../storage/database.js';
import { inMs, now } from '../storage/databaseClock.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import type { ResourceRef } from '../storage/resourceTable.js';
import { tenantOf, Turns } from '../storage/turns.js';

/** Which executions: all with a reference, or some by name. */
export type Erased = { readonly reference: string } | { readonly executionIds: readonly string[] };

/** An erasure that this process may work on until its lease ends. */
export interface ClaimedErasure extends ResourceRef {
  /** Null where executions are named one by one. */
  readonly reference: string | null;
  /** Who asked for it. */
  readonly actor: Actor;
  /** By the database's clock. */
  readonly ageMs: number;
}

interface Row {
  readonly id: Buffer;
  readonly workspace_id: Buffer;
  readonly reference: string | null;
  readonly principal: string;
  readonly request_id: Buffer | null;
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
  const executions = 'reference' in erased ? [] : [...new Set(erased.executionIds.map((one) => one.toLowerCase()))];
  await transaction('erasures').insert({
    ...owner,
    tenant_id: tenantOf(transaction, workspaceId),
    weight: weightOf(executions.length),
    id: idToBytes(id),
    reference: 'reference' in erased ? erased.reference : null,
    principal: actor.principal.slice(0, 255),
    request_id: actor.requestId === null ? null : idToBytes(actor.requestId),
    due_at: transaction.raw(now),
    created_at: transaction.raw(now),
  });
  for (let from = 0; from < executions.length; from += rowsPerStatement)
    await transaction('erasure_executions').insert(
      executions
        .slice(from, from + rowsPerStatement)
        .map((one) => ({ ...owner, erasure_id: idToBytes(id), execution_id: idToBytes(one) })),
    );
}

/** What an erasure counts for that names few executions, or a reference: it takes some statements in any case. */
const leastWeight = 100;
const weightOf = (executions: number): number => Math.max(leastWeight, executions);

/** Executions that the erasures of a workspace's tenant name together, of those that are not done. */
export async function countWaiting(connection: Connection, workspaceId: string): Promise<number> {
  const [row] = await connection('erasures')
    .where('tenant_id', tenantOf(connection, workspaceId))
    .sum<{ readonly total: number | string | null }[]>({ total: 'weight' });
  return Number(row?.total ?? 0);
}

/** The turns of the tenants whose erasures a process works on. */
export const createErasureTurns = (): Turns =>
  new Turns((connection) => ({
    table: 'erasures',
    primaryKey: ['workspace_id', 'id'],
    columns: [
      ...['id', 'workspace_id', 'reference', 'principal', 'request_id'],
      connection.raw(`TIMESTAMPDIFF(MICROSECOND, created_at, ${now}) AS age_us`),
    ],
    counters: [],
  }));

/** Takes the erasure whose turn it is. Undefined where none is due. */
export async function claimErasure(database: Knex, turns: Turns, leaseMs: number): Promise<ClaimedErasure | undefined> {
  const row = await turns.claim<Row>(database, leaseMs);
  return (
    row && {
      workspaceId: idFromBytes(row.workspace_id),
      id: idFromBytes(row.id),
      reference: row.reference,
      actor: {
        principal: row.principal,
        requestId: row.request_id === null ? null : idFromBytes(row.request_id),
      },
      ageMs: Number(row.age_us) / 1000,
    }
  );
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

/**
 * Takes off an erasure the executions that nothing is kept of: no record, no leaf, no key of a request; one statement finds
 * them all. What was told of them goes as well.
 * @param isMeant of these
 */
export async function dropUnknown(
  transaction: Knex.Transaction,
  ref: ResourceRef,
  isMeant: (executionId: string) => boolean,
): Promise<void> {
  const [rows] = (await transaction.raw(
    `SELECT n.execution_id FROM erasure_executions AS n
      LEFT JOIN evidence_leaves AS l ON l.workspace_id = n.workspace_id AND l.subject_id = n.execution_id
      LEFT JOIN executions AS e ON e.id = n.execution_id AND e.workspace_id = n.workspace_id
      LEFT JOIN idempotency_keys AS k ON k.execution_id = n.execution_id AND k.workspace_id = n.workspace_id
      WHERE n.workspace_id = ? AND n.erasure_id = ?
        AND l.subject_id IS NULL AND e.id IS NULL AND k.execution_id IS NULL`,
    [idToBytes(ref.workspaceId), idToBytes(ref.id)],
  )) as [{ execution_id: Buffer }[]];
  const unknown = rows.map(({ execution_id: id }) => idFromBytes(id)).filter(isMeant);
  if (unknown.length === 0) return;
  const subjects = unknown.map((executionId) => ({ executionId }));
  await eraseOutcomes(transaction, ref.workspaceId, subjects);
  await noteErased(transaction, ref, unknown);
}

/** Notes that nothing is left of these executions. */
export async function noteErased(
  transaction: Knex.Transaction,
  ref: ResourceRef,
  ids: readonly string[],
): Promise<void> {
  await named(transaction, ref).whereIn('execution_id', ids.map(idToBytes)).delete();
}

/** It is taken up again after so many milliseconds, or by another process once they are over. */
export async function postponeErasure(connection: Connection, ref: ResourceRef, afterMs: number): Promise<void> {
  await one(connection, ref).update({ due_at: inMs(connection, afterMs) });
}

export async function deleteErasure(connection: Connection, ref: ResourceRef): Promise<void> {
  await one(connection, ref).delete();
}
