import type { Knex } from 'knex';
import type { Writer } from '../audit/audit.store.js';
import { createPruneTrail, type Owner, type PruneTrail } from '../audit/prune.js';
import { inTransaction, type Connection } from '../storage/database.js';
import { idToBytes, lowestIdAt } from '../storage/ids.js';
import { inIdOrder } from '../storage/indexHints.js';

/** Which records a prune deletes: executions and evaluations from before a time. */
export interface PruneRequest {
  readonly before: Date;
  /** Undefined: of all workspaces. */
  readonly workspaceId: string | undefined;
  /** Of the workspace, whose executions alone are meant then. */
  readonly environmentId?: string;
}

const tables = ['executions', 'evaluations'] as const;
export type PrunedTable = (typeof tables)[number];

/** Rows of one statement: few enough that the recorder's inserts never wait long. */
const chunkSize = 500;

/** How many rows `pruneHistory` would delete. */
export async function countPrunable(connection: Connection, request: PruneRequest): Promise<number> {
  let total = 0;
  for (const table of tables) {
    const [row] = await scoped(connection, table, request).count<{ total: number | string }[]>({ total: '*' });
    total += Number(row?.total ?? 0);
  }
  return total;
}

/**
 * Deletes in chunks, each in a transaction of its own; to be repeated after an interruption. Each workspace that loses
 * records gets an audit entry.
 */
export async function pruneHistory(
  { database, actor }: Writer,
  request: PruneRequest,
  onDeleted: (rows: number) => void,
): Promise<Record<PrunedTable, number>> {
  const trail = createPruneTrail(actor, 'execution', request.before);
  const deleted = { executions: 0, evaluations: 0 };
  for (const table of tables) {
    let after: Place | undefined = { id: Buffer.alloc(16), decision_id: Buffer.alloc(16) };
    while (after !== undefined) {
      const chunk = await deleteChunk({ database, trail }, table, request, after);
      trail.committed(chunk);
      after = chunk.length === chunkSize ? chunk.at(-1) : undefined;
      deleted[table] += chunk.length;
      onDeleted(chunk.length);
    }
  }
  return deleted;
}

/**
 * Deletes executions of one environment, as `pruneHistory` does.
 * @param rest is awaited after each chunk, with the milliseconds that it took
 * @param goesOn asked before each chunk
 * @returns how many it deleted, and whether no older one is left
 */
export async function pruneEnvironment(
  { database, actor }: Writer,
  request: PruneRequest & { readonly workspaceId: string; readonly environmentId: string },
  {
    maxChunks,
    rest,
    goesOn,
  }: { readonly maxChunks: number; readonly rest: (tookMs: number) => Promise<void>; readonly goesOn: () => boolean },
): Promise<{ readonly deleted: number; readonly isEnd: boolean }> {
  const trail = createPruneTrail(actor, 'execution', request.before);
  let after: Place = { id: Buffer.alloc(16), decision_id: Buffer.alloc(16) };
  let deleted = 0;
  for (let chunks = 0; chunks < maxChunks && goesOn(); chunks++) {
    const began = performance.now();
    const chunk = await deleteChunk({ database, trail }, 'executions', request, after);
    trail.committed(chunk);
    deleted += chunk.length;
    const last = chunk.at(-1);
    if (last === undefined || chunk.length < chunkSize) return { deleted, isEnd: true };
    after = last;
    await rest(performance.now() - began);
  }
  return { deleted, isEnd: false };
}

/** The position of a row in the order of its index (keyset pagination). */
interface Place {
  readonly id: Buffer;
  readonly decision_id: Buffer;
}

type DeletedRow = Place & Owner;

/**
 * Deletes the next chunk after a row (keyset pagination), so that newer rows and index entries of deleted ones are
 * scanned only once. Returns what it deleted.
 */
function deleteChunk(
  { database, trail }: { readonly database: Knex; readonly trail: PruneTrail },
  table: PrunedTable,
  request: PruneRequest,
  after: Place,
): Promise<DeletedRow[]> {
  return inTransaction(database, async (transaction) => {
    const rows = (await inPruneOrder(transaction, table, request, after)
      .select('id', 'decision_id', 'workspace_id')
      .limit(chunkSize)) as Omit<DeletedRow, 'tenant_id'>[];
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await transaction(table).whereIn('id', ids).delete();
    const deleted = rows.map((row) => ({ ...row, tenant_id: null }));
    await trail.append(transaction, deleted);
    return deleted;
  });
}

/** With index hints, because otherwise the database may sort all rows of a workspace for each chunk. */
function inPruneOrder(
  connection: Connection,
  table: PrunedTable,
  request: PruneRequest,
  after: Place,
): Knex.QueryBuilder {
  const rows = scoped(connection, table, request);
  if (request.workspaceId !== undefined && table === 'evaluations') {
    // There is no index of a workspace's evaluations by id, because every insert would pay for it.
    return rows
      .from(connection.raw('?? FORCE INDEX (evaluations_decision)', [table]))
      .where(
        (next) =>
          void next
            .where('decision_id', '>', after.decision_id)
            .orWhere({ decision_id: after.decision_id })
            .andWhere('id', '>', after.id),
      )
      .orderBy(['decision_id', 'id']);
  }
  if (request.environmentId !== undefined) {
    return rows
      .from(connection.raw('?? FORCE INDEX (executions_environment)', [table]))
      .where('id', '>', after.id)
      .orderBy('id');
  }
  const inOrder =
    request.workspaceId === undefined
      ? connection.raw('?? FORCE INDEX (PRIMARY)', [table])
      : inIdOrder(connection, 'executions');
  return rows.from(inOrder).where('id', '>', after.id).orderBy('id');
}

/** An id begins with the milliseconds of its making (UUIDv7), so that the primary key finds the old rows. */
function scoped(connection: Connection, table: PrunedTable, request: PruneRequest): Knex.QueryBuilder {
  const { before, workspaceId, environmentId } = request;
  const rows = connection(table).where('id', '<', lowestIdAt(before)).where('created_at', '<', before);
  if (environmentId !== undefined) rows.where('environment_id', idToBytes(environmentId));
  return workspaceId === undefined ? rows : rows.where('workspace_id', idToBytes(workspaceId));
}
