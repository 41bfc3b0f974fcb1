import { idTime, idToBytes } from '../../storage/ids.js';
import { isShared, ownContext, type Codes } from './codes.js';
import type { ExecutionRecord, RunRecord } from './record.js';
import type { FirstValue, Value, Values } from './insert.js';
import { mysqlErrno, mysqlErrors } from '../../storage/mysqlErrors.js';

const ranColumns = ['id', 'workspace_id', 'status', 'fact', 'result', 'engine_us', 'request_id'] as const;

export const evaluationColumns: readonly string[] = [
  ...ranColumns,
  'error',
  'decision_id',
  'version',
  'principal',
  'created_at',
];
/** A row ends where all that follows is NULL: each value that is bound costs the process and the database time. */
export const executionColumns: readonly string[] = [
  ...ranColumns,
  'route',
  'setting',
  'run_context',
  // Only of some.
  'error',
  'principal',
  'created_at',
  'trace',
  'reference',
  'selection',
];

const maxUnsigned = 4_294_967_295;

const ranValues = (record: RunRecord, recordFacts: boolean): Value[] => [
  idToBytes(record.id),
  idToBytes(record.workspaceId),
  record.status,
  recordFacts ? record.fact : null,
  record.result,
  Math.min(record.engineUs, maxUnsigned),
  idToBytes(record.requestId),
];

const principalOf = ({ principal }: RunRecord): string => principal.slice(0, 255);

/** In the order of `evaluationColumns`. */
export function evaluationValues(record: RunRecord, recordFacts: boolean): Values {
  const values = ranValues(record, recordFacts);
  values.push(record.error, idToBytes(record.decisionId), record.version, principalOf(record), record.createdAt);
  return values;
}

/** In the order of `executionColumns`. */
export function executionValues(record: ExecutionRecord, recordFacts: boolean, { route, setting }: Codes): Values {
  const values = ranValues(record, recordFacts);
  const { createdAt, context, error, reference, selection = null } = record;
  // It holds the fact, which is what the first node gives.
  const trace = recordFacts ? record.trace : null;
  const principal = isShared(record.principal) ? null : principalOf(record);
  // The id tells it, where it is the same.
  const at = createdAt.getTime() === idTime(record.id).getTime() ? null : createdAt;
  values.push(route, setting, ownContext(context));
  const isTold = error !== null || trace !== null || reference !== null || selection !== null;
  if (isTold || principal !== null || at !== null) values.push(error, principal, at, trace, reference, selection);
  return values;
}

/** Estimated bytes of a row besides its texts. */
const fixedBytes = 256;

/** Estimated bytes of the row in a statement. */
export function weigh(record: RunRecord & { readonly trace?: string | null }): number {
  const { fact, result, error, trace } = record;
  return fixedBytes + result.length + (fact?.length ?? 0) + (error?.length ?? 0) + (trace?.length ?? 0);
}

const workspaceAt = executionColumns.indexOf('workspace_id');
const routeAt = executionColumns.indexOf('route');

const oneRoute = '(SELECT workspace_id FROM execution_routes WHERE code = ? LOCK IN SHARE MODE)';
const manyRoutes = (bindings: number): string =>
  `(SELECT IF(COUNT(*) = ?, ?, NULL) FROM execution_routes FORCE INDEX (PRIMARY)
     WHERE code IN (${Array<string>(bindings).fill('?').join(', ')}) LOCK IN SHARE MODE)`;

/** Routes in one statement, up to which its text is the same. */
const usualRoutes = 8;

/**
 * The first row of a statement reads its workspace by way of the routes that the statement's rows name, and locks them until
 * its rows are committed: none of them is removed before. Where one of them is gone the workspace is NULL, which the column
 * refuses (1048).
 */
export function lockRoutes(rows: readonly Values[]): FirstValue {
  const codes = new Set<Value>();
  for (const row of rows) codes.add(row[routeAt] ?? null);
  const [first = null] = codes;
  if (codes.size === 1) return { at: workspaceAt, sql: oneRoute, values: [first], isUsual: true };
  const isUsual = codes.size <= usualRoutes;
  const bindings = isUsual ? usualRoutes : codes.size;
  const padding = Array<Value>(bindings - codes.size).fill(first);
  const values = [codes.size, rows[0]?.[workspaceAt] ?? null, ...codes, ...padding];
  return { at: workspaceAt, sql: manyRoutes(bindings), values, isUsual };
}

/** Whether a record was refused because its route is gone, or what a route of it would name. */
export function isRouteGone(error: unknown): boolean {
  const errno = mysqlErrno(error);
  return errno === mysqlErrors.columnIsNull || errno === mysqlErrors.noReferencedRow;
}
