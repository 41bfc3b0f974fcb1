import type { Knex } from 'knex';
import { parseExactly } from '../../workers/models/index.js';
import { inTransaction, type Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { inIdOrder } from '../storage/indexHints.js';

/** A recorded execution as lists show it. */
export interface ExecutionSummary {
  readonly id: string;
  readonly environmentId: string;
  readonly deploymentId: string;
  readonly decisionId: string;
  readonly version: number;
  readonly status: 'COMPLETED' | 'FAILED';
  /** Milliseconds in the engine. */
  readonly engineMs: number;
  readonly principal: string;
  readonly requestId: string;
  readonly createdAt: string;
}

/** All that is recorded of one; secrets are redacted. */
export interface ExecutionDetails extends ExecutionSummary {
  /** Null when facts are not recorded. */
  readonly fact: unknown;
  readonly result: unknown;
  readonly error: unknown;
  readonly trace: unknown;
}

interface SummaryRow {
  readonly id: Buffer;
  readonly environment_id: Buffer;
  readonly deployment_id: Buffer;
  readonly decision_id: Buffer;
  readonly version: number;
  readonly status: 'COMPLETED' | 'FAILED';
  readonly engine_us: number;
  readonly principal: string;
  readonly request_id: Buffer;
  readonly created_at: Date;
}

interface DetailsRow extends SummaryRow {
  readonly fact: string | null;
  readonly result: string;
  readonly error: string | null;
  readonly trace: string | null;
}

const summaryColumns = [
  'id',
  'environment_id',
  'deployment_id',
  'decision_id',
  'version',
  'status',
  'engine_us',
  'principal',
  'request_id',
  'created_at',
];

const mapSummary = (row: SummaryRow): ExecutionSummary => ({
  id: idFromBytes(row.id),
  environmentId: idFromBytes(row.environment_id),
  deploymentId: idFromBytes(row.deployment_id),
  decisionId: idFromBytes(row.decision_id),
  version: row.version,
  status: row.status,
  engineMs: row.engine_us / 1000,
  principal: row.principal,
  requestId: idFromBytes(row.request_id),
  createdAt: row.created_at.toISOString(),
});

/** Newest first; `olderThan` is the id of the last one of the page before. */
export async function listExecutions(
  connection: Connection,
  workspaceId: string,
  { size, olderThan }: { size: number; olderThan: string | undefined },
): Promise<ExecutionSummary[]> {
  const page = connection(inIdOrder(connection, 'executions'))
    .select(summaryColumns)
    .where('workspace_id', idToBytes(workspaceId));
  if (olderThan !== undefined) page.where('id', '<', idToBytes(olderThan));
  const rows = (await page.orderBy('id', 'desc').limit(size)) as SummaryRow[];
  return rows.map(mapSummary);
}

export async function findExecution(
  connection: Connection,
  workspaceId: string,
  id: string,
): Promise<ExecutionDetails | undefined> {
  const [row] = (await connection('executions')
    .select([...summaryColumns, 'fact', 'result', 'error', 'trace'])
    .where({ workspace_id: idToBytes(workspaceId), id: idToBytes(id) })) as DetailsRow[];
  return (
    row && {
      ...mapSummary(row),
      fact: parsed(row.fact),
      result: parsed(row.result),
      error: parsed(row.error),
      trace: parsed(row.trace),
    }
  );
}

/** Results hold decimals of more digits than doubles have. */
const parsed = (text: string | null): unknown => (text === null ? null : parseExactly(text));

/** What a prune takes away: records of both kinds that were made before a time. */
export interface PruneRequest {
  readonly before: Date;
  /** Undefined: of all workspaces. */
  readonly workspaceId: string | undefined;
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

/** Deletes in chunks, each in a transaction of its own; to be repeated after an interruption. */
export async function pruneHistory(
  database: Knex,
  request: PruneRequest,
  onDeleted: (rows: number) => void,
): Promise<Record<PrunedTable, number>> {
  const deleted = { executions: 0, evaluations: 0 };
  for (const table of tables) {
    let after: Place | undefined = { id: Buffer.alloc(16), decision_id: Buffer.alloc(16) };
    while (after !== undefined) {
      const chunk = await deleteChunk(database, table, request, after);
      after = chunk.length === chunkSize ? chunk.at(-1) : undefined;
      deleted[table] += chunk.length;
      onDeleted(chunk.length);
    }
  }
  return deleted;
}

/** Of a row among those to be deleted, in the order that its index gives them. */
interface Place {
  readonly id: Buffer;
  readonly decision_id: Buffer;
}

/**
 * From the row at which the chunk before ended: what is passed over, newer rows and the remains of those just deleted, is
 * so once. Gives what it deleted.
 */
function deleteChunk(database: Knex, table: PrunedTable, request: PruneRequest, after: Place): Promise<Place[]> {
  return inTransaction(database, async (transaction) => {
    const rows = (await inPruneOrder(transaction, table, request, after)
      .select('id', 'decision_id')
      .limit(chunkSize)) as Place[];
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await transaction(table).whereIn('id', ids).delete();
    return rows;
  });
}

/** Left to choose, the database may sort all that a workspace has for each chunk. */
function inPruneOrder(
  connection: Connection,
  table: PrunedTable,
  request: PruneRequest,
  after: Place,
): Knex.QueryBuilder {
  const rows = scoped(connection, table, request);
  if (request.workspaceId !== undefined && table === 'evaluations') {
    // No index has a workspace's evaluations by id alone, which each evaluation would pay for.
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
  const inOrder =
    request.workspaceId === undefined
      ? connection.raw('?? FORCE INDEX (PRIMARY)', [table])
      : inIdOrder(connection, 'executions');
  return rows.from(inOrder).where('id', '>', after.id).orderBy('id');
}

/** An id begins with the milliseconds of its making (UUIDv7), so that the primary key finds the old rows. */
function scoped(connection: Connection, table: PrunedTable, { before, workspaceId }: PruneRequest): Knex.QueryBuilder {
  const bound = Buffer.alloc(16);
  bound.writeUIntBE(Math.max(0, before.getTime()), 0, 6);
  const rows = connection(table).where('id', '<', bound).where('created_at', '<', before);
  return workspaceId === undefined ? rows : rows.where('workspace_id', idToBytes(workspaceId));
}
