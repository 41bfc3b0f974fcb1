import { mysqlErrno, mysqlErrors } from '../../storage/database.js';
import type { FirstValue, Value, Values } from './insert.js';
import { executionColumns } from './rows.js';

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
