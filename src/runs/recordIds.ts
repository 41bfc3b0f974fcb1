import type { Knex } from 'knex';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idTime, idToBytes } from '../storage/ids.js';
import { inIdOrder } from '../storage/indexHints.js';
import { windowsOf, type IdRange } from './days/windows.js';
import { codeSlackMs } from './recorder/codes.js';

/** Which executions of a workspace; undefined fields do not filter. */
export interface RecordFilter {
  readonly environmentId?: string | undefined;
  readonly decisionId?: string | undefined;
  readonly deploymentId?: string | undefined;
  readonly version?: number | undefined;
  readonly status?: 'COMPLETED' | 'FAILED' | undefined;
  readonly reference?: string | undefined;
  readonly requestId?: string | undefined;
}

/**
 * Ids of executions. Environment, decision, deployment, version and status are told by routes, of which there are few: their
 * ids are read by one index, a range of it for each route, and merged.
 */
export async function recordIds(
  connection: Connection,
  workspaceId: string,
  filter: RecordFilter,
  range: IdRange,
): Promise<Buffer[]> {
  const sought = soughtBy(filter);
  if (sought !== null) return idsOf(await seek(connection, workspaceId, { filter, range, index: sought }));
  const isRouted = routeColumns.some(([field]) => filter[field] !== undefined);
  const found: Buffer[] = [];
  for (const window of windowsOf(range)) {
    const part = { ...window, limit: range.limit - found.length };
    found.push(
      ...(await (isRouted
        ? idsOfRoutes(connection, workspaceId, filter, part)
        : idsOfWorkspace(connection, workspaceId, part))),
    );
    if (found.length === range.limit) break;
  }
  return found;
}

async function idsOfWorkspace(connection: Connection, workspaceId: string, range: IdRange): Promise<Buffer[]> {
  const rows = connection(inIdOrder(connection, 'executions'))
    .select('id')
    .where('workspace_id', idToBytes(workspaceId));
  return idsOf(await within(rows, 'id', range));
}

const idsOf = (rows: unknown): Buffer[] => (rows as { id: Buffer }[]).map(({ id }) => id);

const routeColumns = [
  ['environmentId', 'environment_id'],
  ['decisionId', 'decision_id'],
  ['deploymentId', 'deployment_id'],
  ['version', 'version'],
  ['status', 'status'],
] as const;

/** What the filter asks of a route. */
function whereRoute(rows: Knex.QueryBuilder, filter: RecordFilter, columnOf: (name: string) => string): void {
  for (const [field, column] of routeColumns) {
    const value = filter[field];
    if (value === undefined) continue;
    const isId = field !== 'version' && field !== 'status';
    void rows.where(columnOf(column), isId ? idToBytes(String(value)) : value);
  }
}

function within(
  rows: Knex.QueryBuilder,
  column: string,
  { after, from, before, order, limit }: IdRange,
): Knex.QueryBuilder {
  if (after !== undefined) void rows.where(column, order === 'asc' ? '>' : '<', after);
  if (from !== undefined) void rows.where(column, '>=', from);
  if (before !== undefined) void rows.where(column, '<', before);
  return rows.orderBy(column, order).limit(limit);
}

/** What is a caller's own, or a request's, has few executions: the index of that finds them. */
function soughtBy({ requestId, reference }: RecordFilter): 'executions_request' | 'executions_reference' | null {
  if (requestId !== undefined) return 'executions_request';
  return reference === undefined ? null : 'executions_reference';
}

function seek(
  connection: Connection,
  workspaceId: string,
  { filter, range, index }: { readonly filter: RecordFilter; readonly range: IdRange; readonly index: string },
): Knex.QueryBuilder {
  const rows = connection(connection.raw('executions AS e FORCE INDEX (??)', [index]))
    .select('e.id')
    .leftJoin('execution_routes as r', 'r.code', 'e.route')
    .where('e.workspace_id', idToBytes(workspaceId));
  if (filter.requestId !== undefined) rows.where('e.request_id', idToBytes(filter.requestId));
  if (filter.reference !== undefined) rows.where('e.reference', filter.reference);
  whereRoute(rows, filter, (name) => `r.${name}`);
  return within(rows, 'e.id', range);
}

/** Routes of one statement. */
const routesAtOnce = 64;

/**
 * A piece of the routes at a time, those that were used last first: none of the others is looked at once they can't have any
 * id before the last one found.
 */
async function idsOfRoutes(
  connection: Connection,
  workspaceId: string,
  filter: RecordFilter,
  range: IdRange,
): Promise<Buffer[]> {
  const { order, limit } = range;
  const routes = await routesOf(connection, workspaceId, filter, lowestOf(range));
  if (routes.length > routesAtOnce) {
    const near = await nearIds(connection, workspaceId, new Set(routes.map(({ code }) => code)), range);
    if (near !== null) return near;
  }
  let found: Buffer[] = [];
  for (let at = 0; at < routes.length; at += routesAtOnce) {
    const last = found.length === limit ? found.at(-1) : undefined;
    const newest = routes[at]?.used_at.getTime() ?? 0;
    if (last !== undefined && order === 'desc' && timeOf(last) > newest + codeSlackMs) break;
    const rest = last === undefined ? range : { ...range, ...(order === 'asc' ? { before: last } : { from: last }) };
    const parts = routes.slice(at, at + routesAtOnce).map(({ code }) => idsOfRoute(connection, code, rest));
    found = merged([...found, ...idsOf(await first(connection, parts, rest))], range);
  }
  return found;
}

/** Executions that are looked through where many routes are asked for: most of them are then of one of these. */
const nearRows = 1000;

/** All that is asked for, where it is among the next executions of the workspace; else null. */
async function nearIds(
  connection: Connection,
  workspaceId: string,
  codes: ReadonlySet<number>,
  range: IdRange,
): Promise<Buffer[] | null> {
  const all = connection(inIdOrder(connection, 'executions'))
    .select('id', 'route')
    .where('workspace_id', idToBytes(workspaceId));
  const rows = (await within(all, 'id', { ...range, limit: nearRows })) as { id: Buffer; route: number }[];
  const found = rows.filter(({ route }) => codes.has(route)).map(({ id }) => id);
  return found.length >= range.limit || rows.length < nearRows ? found.slice(0, range.limit) : null;
}

const timeOf = (id: Buffer): number => idTime(idFromBytes(id)).getTime();

/** No id within the range is lower. */
function lowestOf({ after, from, order }: IdRange): Buffer | undefined {
  if (order === 'desc' || after === undefined) return from;
  return from === undefined || Buffer.compare(after, from) > 0 ? after : from;
}

function routeIndex({ deploymentId, decisionId }: RecordFilter): string {
  if (deploymentId !== undefined) return 'execution_routes_deployment';
  return decisionId === undefined ? 'execution_routes_environment' : 'execution_routes_decision';
}

async function routesOf(
  connection: Connection,
  workspaceId: string,
  filter: RecordFilter,
  lowest: Buffer | undefined,
): Promise<{ readonly code: number; readonly used_at: Date }[]> {
  const rows = connection(connection.raw('execution_routes FORCE INDEX (??)', [routeIndex(filter)]))
    .select('code', 'used_at')
    .where('workspace_id', idToBytes(workspaceId));
  whereRoute(rows, filter, (name) => name);
  if (lowest !== undefined) rows.where('used_at', '>=', new Date(timeOf(lowest) - codeSlackMs));
  const routes = (await rows) as { code: number; used_at: Date }[];
  return routes.sort((one, other) => other.used_at.getTime() - one.used_at.getTime());
}

const idsOfRoute = (connection: Connection, code: number, range: IdRange): Knex.QueryBuilder =>
  within(
    connection(connection.raw('executions FORCE INDEX (executions_route)')).select('id').where('route', code),
    'id',
    range,
  );

/** The first of all of them. */
function first(
  connection: Connection,
  parts: readonly Knex.QueryBuilder[],
  { order, limit }: IdRange,
): Knex.QueryBuilder {
  const [only, ...others] = parts;
  if (only !== undefined && others.length === 0) return only;
  return connection
    .unionAll([...parts], true)
    .orderBy('id', order)
    .limit(limit);
}

function merged(ids: Buffer[], { order, limit }: IdRange): Buffer[] {
  ids.sort((one, other) => (order === 'asc' ? Buffer.compare(one, other) : Buffer.compare(other, one)));
  return ids.filter((id, at) => at === 0 || ids[at - 1]?.equals(id) !== true).slice(0, limit);
}
