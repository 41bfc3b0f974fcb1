import type { Knex } from 'knex';
import type { RevisedResource } from '../storage/revisions.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes, newId } from '../storage/ids.js';
import { inIdOrder } from '../storage/indexHints.js';
import { readPage, type Page, type PageRequest } from '../storage/pages.js';
import type { Deployment } from './deployments.schema.js';

interface Row {
  readonly id: Buffer;
  readonly workspace_id: Buffer;
  readonly decision_id: Buffer;
  readonly version: number;
  readonly environment_id: Buffer;
  readonly name: string;
  readonly message: string | null;
  readonly deployed_by: string;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = [
  'id',
  'workspace_id',
  'decision_id',
  'version',
  'environment_id',
  'name',
  'message',
  'deployed_by',
  'revision',
  'created_at',
  'updated_at',
];

export type DeploymentFields = Pick<
  Deployment,
  'decisionId' | 'version' | 'environmentId' | 'name' | 'message' | 'deployedBy'
>;

const mapRow = (row: Row): Deployment => ({
  id: idFromBytes(row.id),
  workspaceId: idFromBytes(row.workspace_id),
  decisionId: idFromBytes(row.decision_id),
  version: row.version,
  environmentId: idFromBytes(row.environment_id),
  name: row.name,
  message: row.message,
  deployedBy: row.deployed_by,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});

const toColumns = (fields: DeploymentFields): Partial<Row> => ({
  decision_id: idToBytes(fields.decisionId),
  version: fields.version,
  environment_id: idToBytes(fields.environmentId),
  name: fields.name,
  message: fields.message,
  deployed_by: fields.deployedBy,
});

const rowsOf = (connection: Connection, workspaceId: string): Knex.QueryBuilder =>
  connection('deployments').select(columns).where('workspace_id', idToBytes(workspaceId));

/** Fails with 1452 when the environment or the decision is not in the workspace. */
export async function insertDeployment(
  connection: Connection,
  workspaceId: string,
  fields: DeploymentFields,
): Promise<RevisedResource<Deployment>> {
  const id = newId();
  const now = new Date();
  await connection('deployments').insert({
    id: idToBytes(id),
    workspace_id: idToBytes(workspaceId),
    ...toColumns(fields),
    created_at: now,
    updated_at: now,
  });
  const at = now.toISOString();
  return { resource: { id, workspaceId, ...fields, createdAt: at, updatedAt: at }, revision: 1 };
}

export function listDeployments(
  connection: Connection,
  workspaceId: string,
  request: PageRequest,
): Promise<Page<Deployment>> {
  return readPage(rowsOf(connection, workspaceId).from(inIdOrder(connection, 'deployments')), request, mapRow);
}

/** All deployments that name an environment, oldest first. */
export async function listDeploymentsOf(
  connection: Connection,
  workspaceId: string,
  environmentId: string,
): Promise<Deployment[]> {
  const rows = (await rowsOf(connection, workspaceId)
    .where('environment_id', idToBytes(environmentId))
    .orderBy('id')) as Row[];
  return rows.map(mapRow);
}

/** @param lock holds the row until the transaction ends */
export async function findDeployment(
  connection: Connection,
  workspaceId: string,
  id: string,
  lock = false,
): Promise<RevisedResource<Deployment> | undefined> {
  const reading = rowsOf(connection, workspaceId).where('id', idToBytes(id));
  if (lock) reading.forUpdate();
  const [row] = (await reading) as Row[];
  return row === undefined ? undefined : { resource: mapRow(row), revision: row.revision };
}

/** Writes all fields, and the next revision. */
export async function updateDeployment(
  connection: Connection,
  workspaceId: string,
  id: string,
  fields: DeploymentFields,
): Promise<void> {
  await connection('deployments')
    .where({ id: idToBytes(id), workspace_id: idToBytes(workspaceId) })
    .update({ ...toColumns(fields), updated_at: new Date(), revision: connection.raw('revision + 1') });
}

/** Deletes its routings too (cascade); fails with 1451 where recorded executions refer to it. */
export async function deleteDeployment(connection: Connection, workspaceId: string, id: string): Promise<void> {
  await connection('deployments')
    .where({ id: idToBytes(id), workspace_id: idToBytes(workspaceId) })
    .delete();
}
