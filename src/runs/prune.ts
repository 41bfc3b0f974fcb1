import type { Knex } from 'knex';
import type { Writer } from '../audit/audit.store.js';
import { createPruneTrail, type Owner, type PruneTrail } from '../audit/prune.js';
import type { Hold } from '../jobs/jobs.store.js';
import { deleteByPrimaryKey, inTransaction, type Connection } from '../storage/database.js';
import { idToBytes, lowestIdAt } from '../storage/ids.js';
import { holdingDays } from './days/days.js';
import { inDay, removeDays } from './days/removeDays.js';
import { recordIds } from './recordIds.js';

/** Which records a prune deletes: executions and evaluations from before a time. */
interface PruneRequest {
  readonly before: Date;
  /** Undefined: of all workspaces. */
  readonly workspaceId: string | undefined;
  /** Of the workspace, whose executions alone are meant then. */
  readonly environmentId?: string;
  /** Begins each transaction. */
  readonly hold?: Hold;
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
 * Deletes records: days as a whole, others in chunks, each in a transaction of its own. It is repeated after an interruption. Each
 * workspace that loses records gets an audit entry. A time in the future counts as now.
 */
export async function pruneHistory(
  { database, actor }: Writer,
  { before, ...scope }: PruneRequest,
  onDeleted: (rows: number) => void,
): Promise<Record<PrunedTable, number>> {
  // What is recorded meanwhile stays: the entry cannot tell of it.
  const request = { ...scope, before: new Date(Math.min(before.getTime(), Date.now())) };
  const trail = createPruneTrail(actor, 'execution', request);
  const deleted = { executions: 0, evaluations: 0 };
  if (request.workspaceId === undefined) {
    await holdingDays(database, async () => {
      await removeDays(
        { database, actor },
        {
          before: request.before,
          isKept: () => Promise.resolve(false),
          async onRemoving(day) {
            const [row] = await inDay(database, day, 'executions_workspace').count<{ total: number | string }[]>({
              total: '*',
            });
            deleted.executions += Number(row?.total ?? 0);
            onDeleted(Number(row?.total ?? 0));
          },
        },
      );
    });
  }
  for (const table of tables) {
    let after: Position | undefined = { id: Buffer.alloc(16), decision_id: Buffer.alloc(16) };
    while (after !== undefined) {
      const chunk = await deleteChunk({ database, trail }, table, request, after);
      trail.committed(chunk.deleted);
      after = chunk.next;
      deleted[table] += chunk.deleted.length;
      onDeleted(chunk.deleted.length);
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
  const trail = createPruneTrail(actor, 'execution', request);
  let after: Position = { id: Buffer.alloc(16), decision_id: Buffer.alloc(16) };
  let deleted = 0;
  for (let chunks = 0; chunks < maxChunks && goesOn(); chunks++) {
    const began = performance.now();
    const chunk = await deleteChunk({ database, trail }, 'executions', request, after);
    trail.committed(chunk.deleted);
    deleted += chunk.deleted.length;
    if (chunk.next === undefined) return { deleted, isEnd: true };
    after = chunk.next;
    await rest(performance.now() - began);
  }
  return { deleted, isEnd: false };
}

/** The position of a row in the order of its index (keyset pagination). */
interface Position {
  readonly id: Buffer;
  /** Of evaluations. */
  readonly decision_id: Buffer | null;
}

type DeletedRow = Pick<Position, 'id'> & Owner;

interface Chunk {
  readonly deleted: readonly DeletedRow[];
  /** Where the next chunk begins; undefined at the end. */
  readonly next: Position | undefined;
}

/**
 * Deletes the next chunk after a row (keyset pagination), so that newer rows and index entries of deleted ones are
 * scanned only once.
 */
function deleteChunk(
  { database, trail }: { readonly database: Knex; readonly trail: PruneTrail },
  table: PrunedTable,
  request: PruneRequest,
  after: Position,
): Promise<Chunk> {
  return inTransaction(database, async (transaction) => {
    await request.hold?.(transaction);
    const positions =
      table === 'executions'
        ? await oldExecutions(transaction, request, after)
        : await oldEvaluations(transaction, request, after);
    const byId = transaction.raw('?? FORCE INDEX (PRIMARY)', [table]);
    const rows = (await madeBefore(transaction(byId), request)
      .select('id', 'workspace_id')
      .whereIn(
        'id',
        positions.map(({ id }) => id),
      )) as Omit<DeletedRow, 'tenant_id'>[];
    const old = rows.map(({ id }) => id);
    // Records are locked by erasures of others, too; an evaluation is by nobody.
    if (table === 'executions') await deleteByPrimaryKey(transaction, table, old);
    else if (old.length > 0) await transaction(table).whereIn('id', old).delete();
    const deleted = rows.map((row) => ({ ...row, tenant_id: null }));
    await trail.append(transaction, deleted);
    return { deleted, next: positions.length === chunkSize ? positions.at(-1) : undefined };
  });
}

/** The next executions whose ids tell a time before. With index hints: the database may otherwise sort all rows of a workspace. */
async function oldExecutions(
  connection: Connection,
  { before, workspaceId, environmentId }: PruneRequest,
  after: Position,
): Promise<Position[]> {
  const end = lowestIdAt(before);
  if (workspaceId !== undefined) {
    const range = { after: after.id, before: end, order: 'asc', limit: chunkSize } as const;
    const ids = await recordIds(connection, workspaceId, { environmentId }, range);
    return ids.map((id) => ({ id, decision_id: null }));
  }
  const rows = (await connection(connection.raw('executions FORCE INDEX (PRIMARY)'))
    .select('id')
    .where('id', '<', end)
    .where('id', '>', after.id)
    .orderBy('id')
    .limit(chunkSize)) as { id: Buffer }[];
  return rows.map(({ id }) => ({ id, decision_id: null }));
}

async function oldEvaluations(connection: Connection, request: PruneRequest, after: Position): Promise<Position[]> {
  const { before, workspaceId } = request;
  const index = workspaceId === undefined ? 'PRIMARY' : 'evaluations_decision';
  const rows = connection(connection.raw('evaluations FORCE INDEX (??)', [index]))
    .select('id', 'decision_id')
    .where('id', '<', lowestIdAt(before))
    .limit(chunkSize);
  if (workspaceId === undefined) return (await rows.where('id', '>', after.id).orderBy('id')) as Position[];
  // There is no index of a workspace's evaluations by id, because every insert would pay for it.
  return (await rows
    .where('workspace_id', idToBytes(workspaceId))
    .where(
      (next) =>
        void next
          .where('decision_id', '>', after.decision_id)
          .orWhere({ decision_id: after.decision_id })
          .andWhere('id', '>', after.id),
    )
    .orderBy(['decision_id', 'id'])) as Position[];
}

/** An execution's id tells when it was made, unless the row says otherwise. */
const madeBefore = (rows: Knex.QueryBuilder, { before }: PruneRequest): Knex.QueryBuilder =>
  rows.where((made) => void made.whereNull('created_at').orWhere('created_at', '<', before));

/** An id begins with the milliseconds of its making (UUIDv7), so that the primary key finds the old rows. */
function scoped(connection: Connection, table: PrunedTable, request: PruneRequest): Knex.QueryBuilder {
  const { before, workspaceId } = request;
  const rows = madeBefore(connection(table), request).where('id', '<', lowestIdAt(before));
  return workspaceId === undefined ? rows : rows.where('workspace_id', idToBytes(workspaceId));
}
