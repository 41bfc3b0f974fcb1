import type { Knex } from 'knex';
import type { ComparisonSettings } from '../../workers/models/index.js';
import { inTransaction, type Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { rowsInIdOrder } from '../storage/indexHints.js';
import type { ResourceRef } from '../storage/resourceTable.js';
import { longestMediumText, readPage, textsIn, type Page, type PageRequest } from '../storage/pages.js';
import { Tallies } from './tallies.js';

/** As the API shows it; `request` and `report` are JSON. */
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

interface Row {
  readonly id: Buffer;
  readonly workspace_id: Buffer;
  readonly request: string;
  readonly report: string;
  readonly expires_at: Date;
  readonly ended_at: Date | null;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = [
  'id',
  'workspace_id',
  'request',
  'report',
  'expires_at',
  'ended_at',
  'revision',
  'created_at',
  'updated_at',
];

const mapRow = (row: Row): StoredShadow => ({
  id: idFromBytes(row.id),
  workspaceId: idFromBytes(row.workspace_id),
  request: row.request,
  report: row.report,
  expiresAt: row.expires_at,
  endedAt: row.ended_at,
  revision: row.revision,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

const one = (connection: Connection, { workspaceId, id }: ResourceRef): Knex.QueryBuilder =>
  connection('shadows').where({ workspace_id: idToBytes(workspaceId), id: idToBytes(id) });

export async function insertShadow(
  connection: Connection,
  shadow: ResourceRef & Pick<StoredShadow, 'request' | 'report' | 'expiresAt'>,
): Promise<void> {
  const now = new Date();
  await connection('shadows').insert({
    id: idToBytes(shadow.id),
    workspace_id: idToBytes(shadow.workspaceId),
    request: shadow.request,
    tallies: '',
    report: shadow.report,
    expires_at: shadow.expiresAt,
    created_at: now,
    updated_at: now,
  });
}

/** @param lock holds the row until the transaction ends */
export async function findShadow(
  connection: Connection,
  ref: ResourceRef,
  lock = false,
): Promise<StoredShadow | undefined> {
  const reading = one(connection, ref).select(columns);
  if (lock) reading.forUpdate();
  const [row] = (await reading) as Row[];
  return row && mapRow(row);
}

export function pageOfShadows(
  connection: Connection,
  workspaceId: string,
  request: PageRequest,
): Promise<Page<StoredShadow>> {
  const rows = rowsInIdOrder(connection, 'shadows', workspaceId).select(columns);
  return readPage(rows, request, mapRow, { texts: textsIn(connection, ['report', 'request'], longestMediumText) });
}

/** How many run in the workspace. @param transaction holds the workspace until its end, so that nobody starts one meanwhile */
export async function countRunningShadows(transaction: Knex.Transaction, workspaceId: string): Promise<number> {
  const workspace = idToBytes(workspaceId);
  await transaction('workspaces').select('id').where('id', workspace).forUpdate();
  const rows = (await running(transaction).where('workspace_id', workspace).select('id')) as unknown[];
  return rows.length;
}

const running = (connection: Connection): Knex.QueryBuilder =>
  connection('shadows').whereNull('ended_at').where('expires_at', '>', new Date());

/** The ids of all that run, of every workspace; where they are too many, as many of each tenant as there is room for. */
export async function listRunningShadows(connection: Connection, most: number): Promise<string[]> {
  const some = running(connection).select('id').orderBy('expires_at', 'desc');
  const rows = (await some.limit(most + 1)) as Pick<Row, 'id'>[];
  const chosen = rows.length <= most ? rows : await chosenByTurns(connection, most);
  return chosen.map(({ id }) => idFromBytes(id));
}

/** The oldest shadow of each tenant first, then the second of each, and so on. */
async function chosenByTurns(connection: Connection, most: number): Promise<Pick<Row, 'id'>[]> {
  const turns = running(connection)
    .join('workspaces', 'workspaces.id', 'shadows.workspace_id')
    .select(
      'shadows.id',
      connection.raw('ROW_NUMBER() OVER (PARTITION BY workspaces.tenant_id ORDER BY shadows.id) AS turn'),
    );
  return (await connection.from(turns.as('turns')).select('id').orderBy(['turn', 'id']).limit(most)) as Pick<
    Row,
    'id'
  >[];
}

/** What a process needs of a shadow to serve it. It never changes. */
export type ShadowRequest = Pick<StoredShadow, 'id' | 'workspaceId' | 'request' | 'expiresAt'>;

/** @param ids few enough for their requests to be in memory at once */
export async function readShadowRequests(connection: Connection, ids: readonly string[]): Promise<ShadowRequest[]> {
  const rows = (await connection('shadows')
    .select('id', 'workspace_id', 'request', 'expires_at')
    .whereIn('id', ids.map(idToBytes))) as Row[];
  return rows.map((row) => ({
    id: idFromBytes(row.id),
    workspaceId: idFromBytes(row.workspace_id),
    request: row.request,
    expiresAt: row.expires_at,
  }));
}

export async function endShadow(transaction: Knex.Transaction, ref: ResourceRef): Promise<void> {
  const now = new Date();
  await one(transaction, ref).update({
    ended_at: now,
    updated_at: now,
    revision: transaction.raw('revision + 1'),
  });
}

export async function deleteShadow(transaction: Knex.Transaction, ref: ResourceRef): Promise<void> {
  await one(transaction, ref).delete();
}

/** Adds what one process has counted to what all have; nothing where the shadow is gone. */
export function addTallies(
  database: Knex,
  ref: ResourceRef,
  counted: Tallies,
  settings: ComparisonSettings,
): Promise<void> {
  return inTransaction(database, async (transaction) => {
    const [row] = (await one(transaction, ref).select('tallies').forUpdate()) as { tallies: string }[];
    if (row === undefined) return;
    const all = Tallies.parse(row.tallies);
    all.merge(counted);
    await one(transaction, ref).update({
      tallies: JSON.stringify(all),
      report: all.report(settings),
      updated_at: new Date(),
      revision: transaction.raw('revision + 1'),
    });
  });
}
