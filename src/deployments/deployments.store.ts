import { Resource } from '../resource/resource.js';
import { id, plain, time } from '../storage/columns.js';
import type { Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import type { Revised } from '../storage/resourceTable.js';
import type { Deployment } from './deployments.schema.js';

export type DeploymentFields = Pick<
  Deployment,
  'decisionId' | 'version' | 'environmentId' | 'name' | 'message' | 'deployedBy'
>;

/** A deployment's routings are deleted with it. */
export const deployments = new Resource<Revised<Deployment>>({
  type: 'deployment',
  table: 'deployments',
  columns: {
    id: id(),
    workspaceId: id('workspace_id'),
    decisionId: id('decision_id'),
    version: plain('version'),
    environmentId: id('environment_id'),
    name: plain('name'),
    message: plain('message'),
    deployedBy: plain('deployed_by'),
    createdAt: time('created_at'),
    updatedAt: time('updated_at'),
    revision: plain('revision'),
  },
  index: 'deployments_workspace',
  texts: [['message'], 16_000],
});

/**
 * All deployments that name an environment, oldest first; they are locked until the transaction ends, which holds the
 * environment, so that none is added. By primary key, as a PATCH locks them: by the index of environments first, one that
 * moves meanwhile would deadlock.
 */
export async function listDeploymentsOf(
  connection: Connection,
  workspaceId: string,
  environmentId: string,
): Promise<Revised<Deployment>[]> {
  const found = (await deployments.rows(connection, workspaceId).where('environment_id', idToBytes(environmentId))) as {
    readonly id: Buffer;
  }[];
  const ids = found.map((row) => row.id);
  const held = (await deployments
    .rows(connection, workspaceId)
    .from(connection.raw('deployments FORCE INDEX (PRIMARY)'))
    .whereIn('id', ids)
    .orderBy('id')
    .forUpdate()) as object[];
  return held.map(deployments.map).filter((deployment) => deployment.environmentId === environmentId);
}
