import type { Knex } from 'knex';
import type { ComparisonSettings } from '../../workers/models/index.js';
import { id, plain, time } from '../storage/columns.js';
import { inTransaction, type Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { longestMediumText } from '../storage/pages.js';
import type { ResourceRef } from '../storage/resourceTable.js';
import { Resource } from '../resource/resource.js';
import type { ShadowStatus } from './shadows.schema.js';
import { Tallies } from './tallies.js';

/** As the API shows it; `request` and `report` are JSON, `request` with the reason of an end that nobody asked for. */
export interface StoredShadow {
  readonly id: string;
  readonly workspaceId: string;
  readonly request: string;
  readonly report: string;
  readonly expiresAt: Date;
  readonly endedAt: Date | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const shadows = new Resource<StoredShadow>({
  type: 'shadow',
  table: 'shadows',
  columns: {
    id: id(),
    workspaceId: id('workspace_id'),
    request: plain('request'),
    report: plain('report'),
    expiresAt: plain('expires_at'),
    endedAt: plain('ended_at'),
    revision: plain('revision'),
    createdAt: time('created_at'),
    updatedAt: time('updated_at'),
  },
  index: 'shadows_workspace',
  texts: [['report', 'request'], longestMediumText],
  // Not the report, which has values of facts and results.
  audited: (shadow) => ({ id: shadow.id, status: statusOf(shadow), ...(JSON.parse(shadow.request) as object) }),
});

export const statusOf = ({ endedAt, expiresAt }: StoredShadow): ShadowStatus => {
  if (endedAt !== null) return 'CANCELLED';
  return expiresAt.getTime() <= Date.now() ? 'COMPLETED' : 'RUNNING';
};

/** All that run. */
export const running = (connection: Connection): Knex.QueryBuilder =>
  connection('shadows').whereNull('ended_at').where('expires_at', '>', new Date());

/** The ids of all that run, of every workspace; where they are too many, as many of each tenant as there is room for. */
export async function listRunningShadows(connection: Connection, most: number): Promise<string[]> {
  const some = running(connection).select('id').orderBy('expires_at', 'desc');
  const rows = (await some.limit(most + 1)) as { id: Buffer }[];
  const chosen = rows.length <= most ? rows : await chosenByTurns(connection, most);
  return chosen.map(({ id }) => idFromBytes(id));
}

/** The oldest shadow of each tenant first, then the second of each, and so on. */
async function chosenByTurns(connection: Connection, most: number): Promise<{ readonly id: Buffer }[]> {
  const turns = running(connection)
    .join('workspaces', 'workspaces.id', 'shadows.workspace_id')
    .select(
      'shadows.id',
      connection.raw('ROW_NUMBER() OVER (PARTITION BY workspaces.tenant_id ORDER BY shadows.id) AS turn'),
    );
  return (await connection.from(turns.as('turns')).select('id').orderBy(['turn', 'id']).limit(most)) as {
    id: Buffer;
  }[];
}

/** What a process needs of a shadow to serve it. It never changes. */
export type ShadowRequest = Pick<StoredShadow, 'id' | 'workspaceId' | 'request' | 'expiresAt'>;

/** @param ids few enough for their requests to be in memory at once */
export async function readShadowRequests(connection: Connection, ids: readonly string[]): Promise<ShadowRequest[]> {
  const rows = (await connection('shadows')
    .select('id', 'workspace_id', 'request', 'expires_at')
    .whereIn('id', ids.map(idToBytes))) as { id: Buffer; workspace_id: Buffer; request: string; expires_at: Date }[];
  return rows.map((row) => ({
    id: idFromBytes(row.id),
    workspaceId: idFromBytes(row.workspace_id),
    request: row.request,
    expiresAt: row.expires_at,
  }));
}

/** Adds what one process has counted to what all have; nothing where the shadow is gone. */
export function addTallies(
  database: Knex,
  ref: ResourceRef,
  counted: Tallies,
  settings: ComparisonSettings,
): Promise<void> {
  return inTransaction(database, async (transaction) => {
    const [row] = (await shadows.one(transaction, ref).select('tallies').forUpdate()) as { tallies: string }[];
    if (row === undefined) return;
    const all = Tallies.parse(row.tallies);
    all.merge(counted);
    await shadows.update(transaction, ref, { report: all.report(settings) }, { tallies: JSON.stringify(all) });
  });
}
