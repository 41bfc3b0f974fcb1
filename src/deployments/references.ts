import type { Knex } from 'knex';
import { Problem, type Violation } from '../errors.js';
import { ChangedMeanwhile } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import type { RevisedResource } from '../storage/revisions.js';
import type { Deployment } from './deployments.schema.js';
import { findDeployment, type DeploymentFields } from './deployments.store.js';

type References = Pick<DeploymentFields, 'decisionId' | 'environmentId' | 'version'>;

/**
 * Refuses a deployment, or what else names the same, whose environment, decision or version is not in the workspace, naming
 * each that is absent. The rows found are locked until the transaction ends, so that none is deleted before it is written.
 * @param named a noun for what refers to them, and the JSON Pointer of its version
 */
export async function requireReferences(
  transaction: Knex.Transaction,
  workspaceId: string,
  fields: References,
  named: { readonly what: string; readonly version: string } = { what: 'deployment', version: '/version' },
): Promise<void> {
  const environment = (await holdEnvironments(transaction, workspaceId, [fields.environmentId])) === 1;
  const decision = await transaction('decisions')
    .select('latest_version')
    .where({ workspace_id: idToBytes(workspaceId), id: idToBytes(fields.decisionId) })
    .forShare();
  const errors: Violation[] = [];
  if (decision.length === 0) errors.push(absent('/decisionId', 'names no decision of this workspace'));
  else if (fields.version > 0 && !(await hasVersion(transaction, fields))) {
    errors.push(absent(named.version, 'names no saved version of this decision'));
  }
  if (!environment) errors.push(absent('/environmentId', 'names no environment of this workspace'));
  if (errors.length > 0) {
    throw new Problem('reference_not_found', `The ${named.what} refers to something that is not in this workspace.`, {
      errors,
    });
  }
}

/**
 * Locks a deployment that is to be changed or removed, until the transaction ends. Its environment is locked first, as
 * in a DELETE of the environment; the other order would deadlock. Undefined when there is none.
 *
 * @throws ChangedMeanwhile when it was moved to another environment before it was locked
 * @param target the environment that it is to move to, locked with the present one for the same reason
 */
export async function holdDeployment(
  transaction: Knex.Transaction,
  workspaceId: string,
  id: string,
  target?: string,
): Promise<RevisedResource<Deployment> | undefined> {
  const seen = await findDeployment(transaction, workspaceId, id);
  if (seen === undefined) return undefined;
  const { environmentId } = seen.resource;
  await holdEnvironments(transaction, workspaceId, target === undefined ? [environmentId] : [environmentId, target]);
  const held = await findDeployment(transaction, workspaceId, id, true);
  if (held !== undefined && held.resource.environmentId !== environmentId) throw new ChangedMeanwhile();
  return held;
}

/**
 * Locks environments one by one in the order of their ids, so that transactions wait instead of deadlocking.
 * @returns how many of them exist
 */
async function holdEnvironments(
  transaction: Knex.Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<number> {
  let found = 0;
  for (const id of [...new Set(ids)].sort()) {
    const rows = await transaction('environments')
      .select('id')
      .where({ workspace_id: idToBytes(workspaceId), id: idToBytes(id) })
      .forShare();
    found += rows.length;
  }
  return found;
}

const absent = (pointer: string, message: string): Violation => ({ in: 'body', pointer, message });

async function hasVersion(transaction: Knex.Transaction, { decisionId, version }: References): Promise<boolean> {
  const rows = await transaction('versions')
    .select('version')
    .where({ decision_id: idToBytes(decisionId), version });
  return rows.length > 0;
}
