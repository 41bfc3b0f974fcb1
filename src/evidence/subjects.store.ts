import type { Knex } from 'knex';
import type { Owner } from '../admission/owners.js';
import { chunks } from '../storage/batches.js';
import { asOneBinding, type Connection } from '../storage/database.js';
import { idFromBytes, idToBytes, lowestIdAt } from '../storage/ids.js';

/** What becomes a leaf. */
export const kinds = ['execution', 'audit_entry'] as const;
export type Kind = (typeof kinds)[number];

/** Where the subjects of each kind stand, in the order of workspace and id. */
const tables = {
  execution: {
    table: 'executions',
    index: 'executions_workspace',
    bytes: textBytes('fact', 'result', 'error', 'trace'),
  },
  audit_entry: {
    table: 'audit_entries',
    index: 'audit_entries_workspace',
    bytes: textBytes('before_state', 'after_state'),
  },
} as const satisfies Record<Kind, { table: string; index: string; bytes: string }>;

function textBytes(...columns: readonly string[]): string {
  return columns.map((column) => `COALESCE(LENGTH(${column}), 0)`).join(' + ');
}

const subjects = (connection: Connection, kind: Kind): Knex.QueryBuilder =>
  connection(connection.raw('?? FORCE INDEX (??)', [tables[kind].table, tables[kind].index]));

/** The newest subject of each of the next workspaces that have any from an id on. @param after bytes of a workspace's id */
export async function newestSubjects(
  connection: Connection,
  kind: Kind,
  { after, from, size }: { readonly after: Buffer; readonly from: Buffer; readonly size: number },
): Promise<{ readonly workspace_id: Buffer; readonly newest: Buffer }[]> {
  const found = subjects(connection, kind)
    .select('workspace_id')
    .max('id as newest')
    .where('workspace_id', '>', after)
    .where('id', '>=', from)
    .groupBy('workspace_id')
    .orderBy('workspace_id')
    .limit(size);
  return (await found) as { workspace_id: Buffer; newest: Buffer }[];
}

/** Which tenants some workspaces are of. */
export async function tenantsOf(
  connection: Connection,
  workspaces: readonly { readonly workspaceId: string }[],
): Promise<Owner[]> {
  const ids = workspaces.map(({ workspaceId }) => idToBytes(workspaceId));
  if (ids.length === 0) return [];
  const rows = (await connection('workspaces').select('id', 'tenant_id').whereIn('id', ids)) as {
    id: Buffer;
    tenant_id: Buffer;
  }[];
  return rows.map((row) => ({ workspaceId: idFromBytes(row.id), tenantId: idFromBytes(row.tenant_id) }));
}

/** What has no leaf by then, in milliseconds, will not get one: it was added, or its leaf was removed. */
export const settledMs = 24 * 60 * 60_000;

/** Whether a workspace has records that must have leaves by now. */
export async function hasOldSubjects(connection: Connection, workspaceId: string): Promise<boolean> {
  for (const kind of kinds) {
    const old = (await subjects(connection, kind)
      .select('id')
      .where('workspace_id', idToBytes(workspaceId))
      .where('id', '<', lowestIdAt(new Date(Date.now() - settledMs)))
      .limit(1)) as unknown[];
    if (old.length > 0) return true;
  }
  return false;
}

/** Ids of subjects: after the first, up to and with the last. */
interface Span {
  readonly after: Buffer;
  readonly until: Buffer;
}

/** The next ids of a workspace, as many as one statement looks at; null where there are none. */
export async function spanAfter(
  connection: Connection,
  kind: Kind,
  workspaceId: string,
  { after, size }: { readonly after: Buffer; readonly size: number },
): Promise<{ readonly until: Buffer; readonly isFull: boolean } | null> {
  const ids = subjects(connection, kind)
    .select('id')
    .where('workspace_id', idToBytes(workspaceId))
    .where('id', '>', after)
    .orderBy('id')
    .limit(size);
  const found: Knex.QueryBuilder = connection.from(ids.as('ids')).max('id as until').count('* as total');
  const [row] = (await found) as { until: Buffer | null; total: number | string }[];
  if (row === undefined || row.until === null) return null;
  return { until: row.until, isFull: Number(row.total) === size };
}

/** SQL of the lowest id of some milliseconds from now on, by the database's clock, whose zone may have an hour twice. */
const lowestIdIn = "UNHEX(RPAD(LPAD(HEX(CAST(1000 * UNIX_TIMESTAMP() + ? AS UNSIGNED)), 12, '0'), 32, '0'))";

/**
 * Those ids of a span that have no leaf, the lowest first.
 * @param ahead leaves out those whose time is so many milliseconds away
 */
export async function withoutLeaf(
  connection: Connection,
  kind: Kind,
  workspaceId: string,
  { after, until, size, ahead }: Span & { readonly size: number; readonly ahead?: { from: number; to: number } },
): Promise<Buffer[]> {
  const { table, index } = tables[kind];
  const [rows] = (await connection.raw(
    `SELECT subjects.id FROM ${table} AS subjects FORCE INDEX (${index})
      LEFT JOIN evidence_leaves AS leaves FORCE INDEX (evidence_leaves_subject)
        ON leaves.workspace_id = ? AND leaves.subject_id = subjects.id
      WHERE subjects.workspace_id = ? AND subjects.id > ? AND subjects.id <= ? AND leaves.subject_id IS NULL
      ${ahead === undefined ? '' : `AND NOT (subjects.id >= ${lowestIdIn} AND subjects.id < ${lowestIdIn})`}
      ORDER BY subjects.id LIMIT ?`,
    [
      ...[idToBytes(workspaceId), idToBytes(workspaceId), after, until],
      ...(ahead === undefined ? [] : [ahead.from, ahead.to]),
      size,
    ],
  )) as [{ id: Buffer }[]];
  return rows.map(({ id }) => id);
}

/** How many of these subjects, from the first on, have at most so many bytes of text together; one in any case. `isWhole` where all that are there do. */
export async function fitting(
  connection: Connection,
  kind: Kind,
  {
    workspaceId,
    ids,
    maxBytes,
  }: { readonly workspaceId: string; readonly ids: readonly Buffer[]; readonly maxBytes: number },
): Promise<{ readonly ids: readonly Buffer[]; readonly bytes: number; readonly isWhole: boolean }> {
  const rows = (await connection(tables[kind].table)
    .select('id', { bytes: connection.raw(tables[kind].bytes) })
    .where('workspace_id', idToBytes(workspaceId))
    .whereIn('id', asOneBinding(connection, ids))
    .orderBy('id')) as { id: Buffer; bytes: number | string }[];
  const [some = []] = chunks(rows, ({ bytes }) => Number(bytes), { size: maxBytes });
  const bytes = some.reduce((sum, row) => sum + Number(row.bytes), 0);
  return { ids: some.map(({ id }) => id), bytes, isWhole: some.length === rows.length };
}
