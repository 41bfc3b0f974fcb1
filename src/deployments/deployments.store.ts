import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { ResourceTable, type ResourceRow } from '../storage/resourceTable.js';
import type { Deployment } from './deployments.schema.js';

interface Columns {
  readonly decision_id: Buffer;
  readonly version: number;
  readonly environment_id: Buffer;
  readonly name: string;
  readonly message: string | null;
  readonly deployed_by: string;
}

type Row = ResourceRow & Columns;

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

export const deploymentColumns = (fields: DeploymentFields): Columns => ({
  decision_id: idToBytes(fields.decisionId),
  version: fields.version,
  environment_id: idToBytes(fields.environmentId),
  name: fields.name,
  message: fields.message,
  deployed_by: fields.deployedBy,
});

/** A deployment's routings are deleted with it. */
export const deployments = new ResourceTable<Deployment, Row>(
  'deployment',
  ['decision_id', 'version', 'environment_id', 'name', 'message', 'deployed_by'],
  'message',
  mapRow,
);

/**
 * All deployments that name an environment, oldest first; they are locked until the transaction ends, which holds the
 * environment, so that none is added. By primary key, as a PATCH locks them: by the index of environments first, one that
 * moves meanwhile would deadlock.
 */
export async function listDeploymentsOf(
  connection: Connection,
  workspaceId: string,
  environmentId: string,
): Promise<Deployment[]> {
  const found = (await deployments
    .rows(connection, workspaceId)
    .where('environment_id', idToBytes(environmentId))) as Pick<Row, 'id'>[];
  const ids = found.map(({ id }) => id);
  const held = (await deployments
    .rows(connection, workspaceId)
    .from(connection.raw('deployments FORCE INDEX (PRIMARY)'))
    .whereIn('id', ids)
    .orderBy('id')
    .forUpdate()) as Row[];
  return held.map(mapRow).filter((deployment) => deployment.environmentId === environmentId);
}
