import type { Knex } from 'knex';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { readPageBy, type Page, type PageRequest } from '../storage/pages.js';
import type { DeploymentRouting } from './deployments.schema.js';

interface Row {
  readonly deployment_id: Buffer;
  readonly decision_id: Buffer;
  readonly environment_id: Buffer;
  readonly version: number;
  readonly in_force: 0 | 1;
  readonly created_at: Date;
}

/** A page of a workspace's routing rows in the order of their deployments, each of which has one. */
export function listRoutings(
  database: Knex,
  workspaceId: string,
  request: PageRequest,
): Promise<Page<DeploymentRouting>> {
  // In the order of the whole key, as MySQL 9.7 sorts the rows of a pair else.
  const newestOfPair = database.raw(
    `r.seq = (SELECT n.seq FROM routings n FORCE INDEX (routings_pair)
               WHERE n.workspace_id = r.workspace_id AND n.environment_id = r.environment_id
                 AND n.decision_id = r.decision_id
               ORDER BY n.workspace_id DESC, n.environment_id DESC, n.decision_id DESC, n.seq DESC LIMIT 1)`,
  );
  const scoped = database(database.raw('routings r FORCE INDEX (routings_deployment)'))
    .select('r.deployment_id', 'r.decision_id', 'r.environment_id', 'r.version', 'r.created_at')
    .select({ in_force: newestOfPair })
    .where('r.workspace_id', idToBytes(workspaceId));
  return readPageBy(scoped, request, mapRow, ({ deploymentId }) => idToBytes(deploymentId), {
    column: 'r.deployment_id',
  });
}

const mapRow = (row: Row): DeploymentRouting => ({
  deploymentId: idFromBytes(row.deployment_id),
  decisionId: idFromBytes(row.decision_id),
  environmentId: idFromBytes(row.environment_id),
  version: row.version,
  inForce: row.in_force === 1,
  createdAt: row.created_at.toISOString(),
});
