import type { Knex } from 'knex';
import { asOneBinding, type Connection } from '../storage/database.js';
import { idFromBytes, idTime, idToBytes, lowestIdAt } from '../storage/ids.js';
import { chargeTexts, pageOf, textsIn, type Page, type PageRequest } from '../storage/pages.js';
import { contextOf, type ContextColumns } from './recorder/codes.js';
import type { RecordedContext } from './recorder/record.js';
import { recordIds, type RecordFilter } from './recordIds.js';

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
  /** What of a DMN model was asked for, as JSON; null for no selection. */
  readonly selection: string | null;
  readonly context: RecordedContext;
}

interface Row {
  readonly id: Buffer;
  readonly workspace_id: Buffer;
  /** What its route and its setting tell is null where somebody has removed them: then the record is altered, and still there. */
  readonly environment_id: Buffer | null;
  readonly deployment_id: Buffer | null;
  readonly decision_id: Buffer | null;
  readonly version: number | null;
  readonly status: 'COMPLETED' | 'FAILED';
  readonly reference: string | null;
  readonly error: string | null;
  readonly engine_us: number;
  readonly request_id: Buffer;
  readonly principal: string | null;
  readonly created_at: Date | null;
}

interface WholeRow extends Row, ContextColumns {
  readonly fact: string | null;
  readonly result: string;
  readonly trace: string | null;
  readonly selection: string | null;
}

const ownColumns = ['id', 'workspace_id', 'status', 'reference', 'error', 'engine_us', 'request_id', 'created_at'];
/** Its route tells them. */
const routeColumns = ['environment_id', 'deployment_id', 'decision_id', 'version'] as const;

/** Rows of records, with what they name by number. @param columns their own, and those of routes */
export function selectRecords(
  connection: Connection,
  columns: readonly string[],
  ofRoutes: readonly (typeof routeColumns)[number][] = routeColumns,
): Knex.QueryBuilder {
  // Outer joins, as an inner one would let the optimizer begin with the routes.
  return connection('executions as e')
    .select(columns.map((name) => `e.${name}`))
    .select(ofRoutes.map((name) => `r.${name}`))
    .leftJoin('execution_routes as r', 'r.code', 'e.route');
}

/** The same, with what they name by the number of a setting. */
const withSettings = (connection: Connection, rows: Knex.QueryBuilder): Knex.QueryBuilder =>
  rows
    .leftJoin('execution_settings as s', 's.code', 'e.setting')
    .select({ principal: connection.raw('COALESCE(e.principal, s.principal)'), shared_context: 's.context' });

const nobody = Buffer.alloc(16);

const mapRow = (row: Row): RecordedExecution => ({
  id: idFromBytes(row.id),
  workspaceId: idFromBytes(row.workspace_id),
  environmentId: idFromBytes(row.environment_id ?? nobody),
  deploymentId: idFromBytes(row.deployment_id ?? nobody),
  decisionId: idFromBytes(row.decision_id ?? nobody),
  version: row.version ?? 0,
  status: row.status,
  reference: row.reference,
  error: row.error,
  engineUs: row.engine_us,
  requestId: idFromBytes(row.request_id),
  principal: row.principal ?? '',
  createdAt: (row.created_at ?? idTime(idFromBytes(row.id))).toISOString(),
});

/** Which executions; undefined fields do not filter. */
export interface HistoryFilter extends RecordFilter {
  /** Executions from then on. */
  readonly from?: Date | undefined;
  /** Executions before then. */
  readonly to?: Date | undefined;
}

/** Most bytes of a TEXT. */
const longestError = 65_535;

/** A page of a workspace's executions, which are not counted, as they may be too many. */
export async function pageOfExecutions(
  connection: Connection,
  workspaceId: string,
  { from, to, ...filter }: HistoryFilter,
  request: PageRequest,
): Promise<Page<RecordedExecution>> {
  const { size, after, before, order = 'asc' } = request;
  // Executions before a cursor are read in reverse order, and `pageOf` restores the order.
  const direction = before === null ? order : order === 'asc' ? 'desc' : 'asc';
  const ids = await recordIds(connection, workspaceId, filter, {
    after: before ?? after ?? undefined,
    from: from && lowestIdAt(from),
    before: to && lowestIdAt(to),
    order: direction,
    limit: size,
  });
  const texts = connection('executions').where('workspace_id', idToBytes(workspaceId)).whereIn('id', ids);
  await chargeTexts(texts, { ...request, size: ids.length }, textsIn(connection, ['error'], longestError));
  const rows = withSettings(connection, selectRecords(connection, ownColumns))
    .where('e.workspace_id', idToBytes(workspaceId))
    .whereIn('e.id', asOneBinding(connection, ids))
    .orderBy('e.id', direction);
  const found = ids.length === 0 ? [] : ((await rows) as Row[]);
  return pageOf(found.map(mapRow), request, { total: null, cursorOf: ({ id }) => idToBytes(id) });
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

/** Of some executions the ones that the workspace has, in the order of their ids. */
export async function findWholeExecutions(
  connection: Connection,
  workspaceId: string,
  ids: readonly Buffer[],
): Promise<WholeExecution[]> {
  const columns = [...ownColumns, 'fact', 'result', 'trace', 'selection', 'run_context'];
  const rows = (await withSettings(connection, selectRecords(connection, columns))
    .where('e.workspace_id', idToBytes(workspaceId))
    .whereIn('e.id', asOneBinding(connection, ids))
    .orderBy('e.id')) as WholeRow[];
  return rows.map((row) => {
    const { fact, result, trace, selection } = row;
    return { ...mapRow(row), fact, result, trace, selection, context: contextOf(row) };
  });
}
