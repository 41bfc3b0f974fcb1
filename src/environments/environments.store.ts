import type { Knex } from 'knex';
import type { RevisedResource } from '../storage/revisions.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes, newId } from '../storage/ids.js';
import { inIdOrder } from '../storage/indexHints.js';
import { readPage, type Page, type PageRequest } from '../storage/pages.js';
import type { Environment } from './environments.schema.js';

interface Row {
  readonly id: Buffer;
  readonly workspace_id: Buffer;
  readonly name: string;
  readonly description: string | null;
  readonly color: string;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = ['id', 'workspace_id', 'name', 'description', 'color', 'revision', 'created_at', 'updated_at'];

const mapRow = (row: Row): Environment => ({
  id: idFromBytes(row.id),
  workspaceId: idFromBytes(row.workspace_id),
  name: row.name,
  description: row.description,
  color: row.color,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

const rowsOf = (connection: Connection, workspaceId: string): Knex.QueryBuilder =>
  connection('environments').select(columns).where('workspace_id', idToBytes(workspaceId));

export interface EnvironmentFields {
  readonly name: string;
  readonly description: string | null;
  readonly color: string;
}

export async function insertEnvironment(
  connection: Connection,
  workspaceId: string,
  fields: EnvironmentFields,
): Promise<RevisedResource<Environment>> {
  const id = newId();
  const now = new Date();
  await connection('environments').insert({
    id: idToBytes(id),
    workspace_id: idToBytes(workspaceId),
    ...fields,
    created_at: now,
    updated_at: now,
  });
  const at = now.toISOString();
  return { resource: { id, workspaceId, ...fields, createdAt: at, updatedAt: at }, revision: 1 };
}

export function listEnvironments(
  connection: Connection,
  workspaceId: string,
  request: PageRequest,
): Promise<Page<Environment>> {
  return readPage(rowsOf(connection, workspaceId).from(inIdOrder(connection, 'environments')), request, mapRow);
}

/** @param lock holds the row until the transaction ends */
export async function findEnvironment(
  connection: Connection,
  workspaceId: string,
  id: string,
  lock = false,
): Promise<RevisedResource<Environment> | undefined> {
  const reading = rowsOf(connection, workspaceId).where('id', idToBytes(id));
  if (lock) reading.forUpdate();
  const [row] = (await reading) as Row[];
  return row === undefined ? undefined : { resource: mapRow(row), revision: row.revision };
}

/** Writes the given fields, and the next revision. */
export async function updateEnvironment(
  connection: Connection,
  workspaceId: string,
  id: string,
  fields: Partial<EnvironmentFields>,
): Promise<void> {
  await connection('environments')
    .where({ id: idToBytes(id), workspace_id: idToBytes(workspaceId) })
    .update({ ...fields, updated_at: new Date(), revision: connection.raw('revision + 1') });
}

/**
 * Deletes its deployments, routings and variables too (cascade); fails with 1451 where recorded executions refer to it.
 */
export async function deleteEnvironment(connection: Connection, workspaceId: string, id: string): Promise<void> {
  await connection('environments')
    .where({ id: idToBytes(id), workspace_id: idToBytes(workspaceId) })
    .delete();
}
