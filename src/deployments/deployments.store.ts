import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries } from '../audit/audit.store.js';
import { Resource } from '../resource/resource.js';
import { batches } from '../storage/batches.js';
import { id, plain, time } from '../storage/columns.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
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
 * The ids of all deployments that name an environment, oldest first; they are locked until the transaction ends, which holds
 * the environment, so that none is added. By primary key, as a PATCH locks them: by the index of environments first, one that
 * moves meanwhile would deadlock.
 */
export async function holdDeploymentsOf(
  connection: Connection,
  workspaceId: string,
  environmentId: string,
): Promise<string[]> {
  const ofEnvironment = { environment_id: idToBytes(environmentId) };
  const named = deployments.rows(connection, workspaceId).clearSelect().where(ofEnvironment).orderBy('id');
  const held: string[] = [];
  for (const ids of batches((await named.pluck('id')) as Buffer[])) {
    const rows = (await deployments
      .rows(connection, workspaceId)
      .clearSelect()
      .select('id', 'environment_id')
      .from(connection.raw('deployments FORCE INDEX (PRIMARY)'))
      .whereIn('id', ids)
      .orderBy('id')
      .forUpdate()) as { readonly id: Buffer; readonly environment_id: Buffer }[];
    held.push(...rows.filter((row) => row.environment_id.equals(ofEnvironment.environment_id)).map(idOf));
  }
  return held;
}

const idOf = (row: { readonly id: Buffer }): string => idFromBytes(row.id);

/** Deployments whose messages are in memory at once while their removal is written down. */
const toldAtOnce = 100;

/** Writes down that deployments which the transaction holds are removed, a few at a time: their messages may be long. */
export async function tellRemovals(
  transaction: Knex.Transaction,
  actor: Actor,
  { workspaceId, ids }: { readonly workspaceId: string; readonly ids: readonly string[] },
): Promise<void> {
  for (const some of batches(ids, undefined, toldAtOnce)) {
    const rows = (await deployments
      .rows(transaction, workspaceId)
      .whereIn('id', some.map(idToBytes))
      .orderBy('id')) as object[];
    const removed = rows.map((row) => deployments.entryOf(actor, workspaceId, deployments.map(row), null));
    await appendAuditEntries(transaction, removed);
  }
}
