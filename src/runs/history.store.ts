import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes, lowestIdAt } from '../storage/ids.js';
import { contextFromBytes, type RecordedContext } from './recorder/runContext.js';
import { readPage, textsIn, type Page, type PageRequest } from '../storage/pages.js';

/** A recorded execution, as lists show it. */
export interface RecordedExecution {
  readonly id: string;
  readonly workspaceId: string;
  readonly environmentId: string;
  readonly deploymentId: string;
  readonly decisionId: string;
  readonly version: number;
  readonly status: 'COMPLETED' | 'FAILED';
  readonly reference: string | null;
  /** JSON text, as all texts of runs. */
  readonly error: string | null;
  readonly engineUs: number;
  readonly requestId: string;
  readonly principal: string;
  readonly createdAt: string;
}

/** A recorded execution with all its fields; secrets are redacted. */
export interface WholeExecution extends RecordedExecution {
  /** Null when facts are not recorded. */
  readonly fact: string | null;
  readonly result: string;
  readonly trace: string | null;
  /** Null in records that were made before they were kept. */
  readonly context: RecordedContext | null;
}

interface Row {
  readonly id: Buffer;
  readonly workspace_id: Buffer;
  readonly environment_id: Buffer;
  readonly deployment_id: Buffer;
  readonly decision_id: Buffer;
  readonly version: number;
  readonly status: 'COMPLETED' | 'FAILED';
  readonly reference: string | null;
  readonly error: string | null;
  readonly engine_us: number;
  readonly request_id: Buffer;
  readonly principal: string;
  readonly created_at: Date;
}

interface WholeRow extends Row {
  readonly fact: string | null;
  readonly result: string;
  readonly trace: string | null;
  readonly circumstances: Buffer | null;
}

const columns = [
  'id',
  'workspace_id',
  'environment_id',
  'deployment_id',
  'decision_id',
  'version',
  'status',
  'reference',
  'error',
  'engine_us',
  'request_id',
  'principal',
  'created_at',
];

const mapRow = (row: Row): RecordedExecution => ({
  id: idFromBytes(row.id),
  workspaceId: idFromBytes(row.workspace_id),
  environmentId: idFromBytes(row.environment_id),
  deploymentId: idFromBytes(row.deployment_id),
  decisionId: idFromBytes(row.decision_id),
  version: row.version,
  status: row.status,
  reference: row.reference,
  error: row.error,
  engineUs: row.engine_us,
  requestId: idFromBytes(row.request_id),
  principal: row.principal,
  createdAt: row.created_at.toISOString(),
});

/** Which executions; undefined fields do not filter. */
export interface HistoryFilter {
  readonly environmentId?: string | undefined;
  readonly decisionId?: string | undefined;
  readonly deploymentId?: string | undefined;
  readonly version?: number | undefined;
  readonly status?: 'COMPLETED' | 'FAILED' | undefined;
  readonly reference?: string | undefined;
  readonly requestId?: string | undefined;
  /** Executions from then on. */
  readonly from?: Date | undefined;
  /** Executions before then. */
  readonly to?: Date | undefined;
}

/** A page of a workspace's executions, which are not counted, as they may be too many. */
export function pageOfExecutions(
  connection: Connection,
  workspaceId: string,
  filter: HistoryFilter,
  request: PageRequest,
): Promise<Page<RecordedExecution>> {
  const indexed = connection.raw('?? FORCE INDEX (??)', ['executions', indexFor(filter)]);
  const rows = connection(indexed).select(columns).where('workspace_id', idToBytes(workspaceId));
  const ids = ['environmentId', 'decisionId', 'deploymentId', 'requestId'] as const;
  for (const name of ids) {
    const id = filter[name];
    if (id !== undefined) rows.where(idColumns[name], idToBytes(id));
  }
  const { version, status, reference, from, to } = filter;
  if (version !== undefined) rows.where('version', version);
  if (status !== undefined) rows.where('status', status);
  if (reference !== undefined) rows.where('reference', reference);
  if (from !== undefined) rows.where('id', '>=', lowestIdAt(from));
  if (to !== undefined) rows.where('id', '<', lowestIdAt(to));
  return readPage(rows, request, mapRow, { counted: null, texts: textsIn(connection, ['error'], longestError) });
}

/** A TEXT. */
const longestError = 65_535;

const idColumns = {
  environmentId: 'environment_id',
  decisionId: 'decision_id',
  deploymentId: 'deployment_id',
  requestId: 'request_id',
} as const;

/** Each filter is a range of one index, in the order of ids; of several filters the most selective one decides. */
function indexFor(filter: HistoryFilter): string {
  if (filter.requestId !== undefined) return 'executions_request';
  if (filter.reference !== undefined) return 'executions_reference';
  if (filter.status === 'FAILED') return 'executions_status';
  if (filter.deploymentId !== undefined) return 'executions_deployment';
  if (filter.decisionId !== undefined) return 'executions_decision';
  if (filter.environmentId !== undefined) return 'executions_environment';
  if (filter.version !== undefined) return 'executions_version';
  return filter.status === undefined ? 'executions_workspace' : 'executions_status';
}

/** Undefined when the workspace has no such execution. */
export async function findWholeExecution(
  connection: Connection,
  workspaceId: string,
  id: string,
): Promise<WholeExecution | undefined> {
  const [found] = await findWholeExecutions(connection, workspaceId, [idToBytes(id)]);
  return found;
}

/** Those of the executions that the workspace has, in the order of their ids. */
export async function findWholeExecutions(
  connection: Connection,
  workspaceId: string,
  ids: readonly Buffer[],
): Promise<WholeExecution[]> {
  const rows = (await connection('executions')
    .select([...columns, 'fact', 'result', 'trace', 'circumstances'])
    .where('workspace_id', idToBytes(workspaceId))
    .whereIn('id', ids)
    .orderBy('id')) as WholeRow[];
  return rows.map((row) => {
    const { fact, result, trace } = row;
    const context = row.circumstances && contextFromBytes(row.circumstances);
    return { ...mapRow(row), fact, result, trace, context };
  });
}
