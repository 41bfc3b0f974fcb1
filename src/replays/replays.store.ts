import type { Knex } from 'knex';
import { endJobs, queueJobs } from '../jobs/jobs.store.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { inIdOrder } from '../storage/indexHints.js';
import type { ResourceRef } from '../storage/resourceTable.js';
import { longestMediumText, readPage, textsIn, type Page, type PageRequest } from '../storage/pages.js';

/** As the API shows it; `request` and `report` are JSON. */
export interface StoredReplay {
  readonly id: string;
  readonly status: 'RUNNING' | 'COMPLETED' | 'CANCELLED' | 'FAILED';
  readonly done: number;
  readonly total: number;
  readonly report: string;
  readonly request: string;
  readonly error: string | null;
  readonly revision: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface Row {
  readonly id: Buffer;
  readonly status: StoredReplay['status'];
  readonly done: number;
  readonly total: number | null;
  readonly report: string;
  readonly request: string;
  readonly error: string | null;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = ['id', 'status', 'done', 'total', 'report', 'request', 'error', 'revision', 'created_at', 'updated_at'];

const mapRow = (row: Row): StoredReplay => ({
  id: idFromBytes(row.id),
  status: row.status,
  done: row.done,
  total: row.total ?? 0,
  report: row.report,
  request: row.request,
  error: row.error,
  revision: row.revision,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

/** The replays that are shown: a removed one is not, though it may take a while until all its rows are gone. */
const shown = (connection: Connection, workspaceId: string): Knex.QueryBuilder =>
  connection('replays').where('workspace_id', idToBytes(workspaceId)).whereNot('status', 'REMOVED');

export interface NewReplay {
  readonly id: string;
  readonly workspaceId: string;
  readonly request: string;
  readonly report: string;
  readonly createdAt: Date;
}

/** Writes a replay that is to be taken up at once. */
export async function insertReplay(connection: Connection, replay: NewReplay): Promise<void> {
  await connection('replays').insert({
    id: idToBytes(replay.id),
    workspace_id: idToBytes(replay.workspaceId),
    status: 'RUNNING',
    request: replay.request,
    tallies: '',
    report: replay.report,
    created_at: replay.createdAt,
    updated_at: replay.createdAt,
  });
  await queueJobs(connection, [{ kind: 'replay', workspaceId: replay.workspaceId, id: replay.id }]);
}

/** How many run in the workspace. @param transaction holds the workspace until its end, so that nobody starts one meanwhile */
export async function countRunning(transaction: Knex.Transaction, workspaceId: string): Promise<number> {
  const workspace = idToBytes(workspaceId);
  await transaction('workspaces').select('id').where('id', workspace).forUpdate();
  const rows = await transaction('replays').select('id').where({ workspace_id: workspace, status: 'RUNNING' });
  return rows.length;
}

/** @param lock holds the row until the transaction ends */
export async function findReplay(
  connection: Connection,
  { workspaceId, id }: ResourceRef,
  lock = false,
): Promise<StoredReplay | undefined> {
  const reading = shown(connection, workspaceId).select(columns).where('id', idToBytes(id));
  if (lock) reading.forUpdate();
  const [row] = (await reading) as Row[];
  return row && mapRow(row);
}

export function pageOfReplays(
  connection: Connection,
  workspaceId: string,
  request: PageRequest,
): Promise<Page<StoredReplay>> {
  const rows = shown(connection, workspaceId).select(columns).from(inIdOrder(connection, 'replays'));
  return readPage(rows, request, mapRow, { texts: textsIn(connection, ['report', 'request'], longestMediumText) });
}

/** Ends one that runs: what is counted so far stays. */
export async function cancelReplay(transaction: Knex.Transaction, ref: ResourceRef): Promise<void> {
  await replay(transaction, ref).update({
    status: 'CANCELLED',
    tallies: '',
    updated_at: new Date(),
    revision: transaction.raw('revision + 1'),
  });
  await endJobs(transaction, 'replay', [ref.id]);
}

/** Takes an ended one out of sight; its differences are deleted by a job. */
export async function removeReplay(transaction: Knex.Transaction, ref: ResourceRef): Promise<void> {
  await replay(transaction, ref).update({ status: 'REMOVED' });
  await queueJobs(transaction, [{ kind: 'replay', ...ref }]);
}

const replay = (connection: Connection, { workspaceId, id }: ResourceRef): Knex.QueryBuilder =>
  connection('replays').where({ workspace_id: idToBytes(workspaceId), id: idToBytes(id) });
