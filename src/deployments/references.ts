import type { Knex } from 'knex';
import { Problem, type Violation } from '../errors.js';
import { idToBytes } from '../storage/ids.js';
import type { Stored } from '../http/stored.js';
import type { Deployment } from './deployments.schema.js';
import { findDeployment, type DeploymentFields } from './deployments.store.js';

type References = Pick<DeploymentFields, 'decisionId' | 'environmentId' | 'version'>;

/**
 * Refuses a deployment whose environment, decision or version is not in the workspace, naming each that is absent.
 * The rows found are held until the transaction ends, so that none goes away before the deployment is written.
 */
export async function requireReferences(
  transaction: Knex.Transaction,
  workspaceId: string,
  fields: References,
): Promise<void> {
  const environment = await holdEnvironment(transaction, workspaceId, fields.environmentId);
  const decision = await transaction('decisions')
    .select('latest_version')
    .where({ workspace_id: idToBytes(workspaceId), id: idToBytes(fields.decisionId) })
    .forShare();
  const errors: Violation[] = [];
  if (decision.length === 0) errors.push(absent('/decisionId', 'names no decision of this workspace'));
  else if (fields.version > 0 && !(await hasVersion(transaction, fields))) {
    errors.push(absent('/version', 'names no saved version of this decision'));
  }
  if (!environment) errors.push(absent('/environmentId', 'names no environment of this workspace'));
  if (errors.length > 0) {
    throw new Problem('reference_not_found', 'The deployment refers to something that is not in this workspace.', {
      errors,
    });
  }
}

/**
 * Holds a deployment that is to be changed or removed, until the transaction ends. Its environment comes first, as in a
 * DELETE of the environment: the other way round, the two would wait for each other. Undefined when it is not there.
 */
export async function holdDeployment(
  transaction: Knex.Transaction,
  workspaceId: string,
  id: string,
): Promise<Stored<Deployment> | undefined> {
  const seen = await findDeployment(transaction, workspaceId, id);
  if (seen === undefined) return undefined;
  await holdEnvironment(transaction, workspaceId, seen.resource.environmentId);
  return findDeployment(transaction, workspaceId, id, true);
}

async function holdEnvironment(transaction: Knex.Transaction, workspaceId: string, id: string): Promise<boolean> {
  const rows = await transaction('environments')
    .select('id')
    .where({ workspace_id: idToBytes(workspaceId), id: idToBytes(id) })
    .forShare();
  return rows.length > 0;
}

const absent = (pointer: string, message: string): Violation => ({ in: 'body', pointer, message });

async function hasVersion(transaction: Knex.Transaction, { decisionId, version }: References): Promise<boolean> {
  const rows = await transaction('versions')
    .select('version')
    .where({ decision_id: idToBytes(decisionId), version });
  return rows.length > 0;
}
