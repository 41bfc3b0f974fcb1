import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { queueJobs, standingOf, type Job } from '../jobs/jobs.store.js';
import { batches } from '../storage/batches.js';
import { type Connection, now } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { id, plain, time, timeOrNull } from '../storage/columns.js';
import { ResourceTable, type ResourceRef } from '../storage/resourceTable.js';
import type { Erasure } from './erasures.schema.js';

/** What is kept of an erasure: how many executions it erased, and when; not whose they were. */
export const erasures = new ResourceTable<Omit<Erasure, 'status'>>({
  type: 'erasure',
  table: 'erasures',
  columns: {
    id: id(),
    workspaceId: id('workspace_id'),
    requested: plain('requested'),
    erased: plain('erased'),
    principal: plain('principal'),
    createdAt: time('created_at'),
    completedAt: timeOrNull('completed_at'),
  },
});

/** What is to be erased, and who asks for it. */
interface NewErasure {
  readonly actor: Actor;
  /** All executions with it; null where they are named one by one. */
  readonly reference: string | null;
  readonly executionIds: readonly string[];
}

/** An erasure that this process works on. */
export interface ClaimedErasure extends Job {
  /** Null where executions are named one by one. */
  readonly reference: string | null;
  /** Who asked for it. */
  readonly actor: Actor;
  /** By the database's clock. */
  readonly ageMs: number;
}

interface Row {
  readonly reference: string | null;
  readonly principal: string;
  readonly request_id: Buffer | null;
  readonly age_us: number | string;
}

/** The least weight of an erasure, also of one by reference: it takes some statements in any case. */
const leastWeight = 100;

/** Writes an erasure that is to be taken up at once. */
export async function insertErasure(
  transaction: Knex.Transaction,
  { workspaceId, id }: ResourceRef,
  { actor, reference, executionIds }: NewErasure,
): Promise<void> {
  const owner = { workspace_id: idToBytes(workspaceId) };
  const executions = [...new Set(executionIds.map((one) => one.toLowerCase()))];
  await transaction('erasures').insert({
    ...owner,
    weight: Math.max(leastWeight, executions.length),
    requested: reference === null ? executions.length : null,
    id: idToBytes(id),
    reference,
    principal: actor.principal.slice(0, 255),
    request_id: actor.requestId === null ? null : idToBytes(actor.requestId),
    created_at: transaction.raw(now),
  });
  await queueJobs(transaction, [{ kind: 'erasure', workspaceId, id }]);
  if (reference !== null) await nameAhead(transaction, { workspaceId, id }, reference);
  for (const some of batches(executions))
    await transaction('erasure_executions').insert(
      some.map((one) => ({ ...owner, erasure_id: idToBytes(id), execution_id: idToBytes(one) })),
    );
}

/**
 * Names the executions with a reference that are recorded and have later ids than the erasure: their servers' clocks are ahead. All
 * others are found by the reference.
 */
async function nameAhead(
  transaction: Knex.Transaction,
  { workspaceId, id }: ResourceRef,
  reference: string,
): Promise<void> {
  const [workspace, erasure] = [idToBytes(workspaceId), idToBytes(id)];
  await transaction.raw(
    `INSERT INTO erasure_executions (workspace_id, erasure_id, execution_id)
      SELECT workspace_id, ?, id FROM executions WHERE workspace_id = ? AND reference = ? AND id > ?`,
    [erasure, workspace, reference, erasure],
  );
}

/**
 * Executions that the erasures of a workspace's tenant name together, of those that are not done.
 * @param transaction holds the tenant until its end, so that nobody adds one meanwhile
 */
export async function countWaiting(transaction: Knex.Transaction, workspaceId: string): Promise<number> {
  const tenant = transaction('workspaces').select('tenant_id').where('id', idToBytes(workspaceId));
  await transaction('tenants').select('id').where('id', tenant).forUpdate();
  const [row] = await transaction('workspaces as mine')
    .join('workspaces as of', 'of.tenant_id', 'mine.tenant_id')
    .join('erasures as e', 'e.workspace_id', 'of.id')
    .where('mine.id', idToBytes(workspaceId))
    .whereNull('e.completed_at')
    .sum<{ readonly total: number | string | null }[]>({ total: 'e.weight' });
  return Number(row?.total ?? 0);
}

/** What a job is to erase; undefined where all of it is. */
export async function findErasure(connection: Connection, job: Job): Promise<ClaimedErasure | undefined> {
  const age = connection.raw(`TIMESTAMPDIFF(MICROSECOND, created_at, ${now}) AS age_us`);
  const waiting = erasures.one(connection, job).whereNull('completed_at');
  const [row] = await waiting.select<Row[]>('reference', 'principal', 'request_id', age);
  return (
    row && {
      ...job,
      reference: row.reference,
      actor: {
        principal: row.principal,
        requestId: row.request_id === null ? null : idFromBytes(row.request_id),
      },
      ageMs: Number(row.age_us) / 1000,
    }
  );
}

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

/** Those of the executions that an erasure names of which nothing is kept: no record, no leaf, no key of a request, nothing in a replay. */
export async function unknownExecutions(connection: Connection, ref: ResourceRef): Promise<string[]> {
  const [rows] = (await connection.raw(
    `SELECT n.execution_id FROM erasure_executions AS n
      LEFT JOIN evidence_leaves AS l ON l.workspace_id = n.workspace_id AND l.subject_id = n.execution_id
      LEFT JOIN executions AS e ON e.id = n.execution_id AND e.workspace_id = n.workspace_id
      LEFT JOIN idempotency_keys AS k ON k.execution_id = n.execution_id AND k.workspace_id = n.workspace_id
      WHERE n.workspace_id = ? AND n.erasure_id = ?
        AND l.subject_id IS NULL AND e.id IS NULL AND k.execution_id IS NULL
        AND NOT EXISTS (SELECT 1 FROM replay_differences AS d
          WHERE d.workspace_id = n.workspace_id AND d.execution_id = n.execution_id)`,
    [idToBytes(ref.workspaceId), idToBytes(ref.id)],
  )) as [{ execution_id: Buffer }[]];
  return rows.map(({ execution_id: id }) => idFromBytes(id));
}

/** Counts executions that it has erased. */
export async function countErased(transaction: Knex.Transaction, ref: ResourceRef, count: number): Promise<void> {
  if (count > 0) await erasures.one(transaction, ref).increment('erased', count);
}

/** How many executions of a workspace erasures have erased so far. */
export async function erasedOf(connection: Connection, workspaceId: string): Promise<number> {
  const [row] = await connection('erasures')
    .where('workspace_id', idToBytes(workspaceId))
    .sum<{ readonly total: number | string | null }[]>({ total: 'erased' });
  return Number(row?.total ?? 0);
}

/**
 * Has erasures of a workspace wait until the transaction ends: those that are asked for by the workspace's row, which a new one
 * names, and those that are worked on by their jobs.
 */
export async function holdErasures(transaction: Knex.Transaction, workspaceId: string): Promise<void> {
  await transaction('workspaces').select('id').where('id', idToBytes(workspaceId)).forUpdate();
  const waiting = transaction('erasures').where({ workspace_id: idToBytes(workspaceId), completed_at: null });
  const ids = (await waiting.pluck('id')) as Buffer[];
  await standingOf(transaction, 'erasure', ids.map(idFromBytes), true);
}

/** Takes executions off the list of those that an erasure by ids has still to erase: nothing is left of them. */
export async function takeOffList(
  transaction: Knex.Transaction,
  ref: ResourceRef,
  ids: readonly string[],
): Promise<void> {
  await named(transaction, ref).whereIn('execution_id', ids.map(idToBytes)).delete();
}

/** What is left of it is a receipt, which does not say of whom it was. */
export async function completeErasure(transaction: Knex.Transaction, ref: ResourceRef): Promise<void> {
  await erasures.one(transaction, ref).update({ reference: null, completed_at: transaction.raw(now) });
}

/** Erasures that are asked for and not done. */
export interface WaitingErasures {
  readonly count: number;
  /** Milliseconds since the oldest of them was asked for; 0 when there is none. */
  readonly oldestMs: number;
}

/** Those of all tenants, for metrics: by their jobs, since what is done has none. */
export async function readWaitingErasures(connection: Connection): Promise<WaitingErasures> {
  const [row] = await connection('jobs')
    .join('erasures', { 'erasures.workspace_id': 'jobs.workspace_id', 'erasures.id': 'jobs.id' })
    .where('jobs.kind', 'erasure')
    .count({ total: '*' })
    .select<{ readonly total: number | string; readonly oldest_us: number | string | null }[]>(
      connection.raw(`TIMESTAMPDIFF(MICROSECOND, MIN(erasures.created_at), ${now}) AS oldest_us`),
    );
  return { count: Number(row?.total ?? 0), oldestMs: Math.max(0, Number(row?.oldest_us ?? 0) / 1000) };
}
