import { parseExactly } from '../exactJson.js';
import type { Connection } from '../storage/database.js';
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
