import type { Knex } from 'knex';
import { Problem, type Violation } from '../errors.js';
import { idToBytes } from '../storage/ids.js';
import type { DeploymentFields } from './deployments.store.js';

/** The environment is left out where it is known to be there. */
type References = Pick<DeploymentFields, 'decisionId' | 'version'> & { readonly environmentId?: string | undefined };

/**
 * Refuses a deployment, or what else names the same, whose environment, decision or version is not in the workspace, naming
 * each that is absent. The rows found are locked until the transaction ends, so that none is deleted before it is written.
 * A transaction that locks several kinds of rows takes environments first, then decisions, routing heads and deployments: in one order
 * transactions wait for one another, in several they deadlock.
 * @param named a noun for what refers to them, and the JSON Pointer of its version
 */
export async function requireReferences(
  transaction: Knex.Transaction,
  workspaceId: string,
  fields: References,
  named: { readonly what: string; readonly version: string } = { what: 'deployment', version: '/version' },
): Promise<void> {
  const environment = await holdEnvironment(transaction, workspaceId, fields.environmentId);
  const decision = await transaction('decisions')
    .select('latest_version')
    .where({ workspace_id: idToBytes(workspaceId), id: idToBytes(fields.decisionId) })
    .forShare();
  const errors: Violation[] = [];
  if (decision.length === 0) errors.push(absent('/decisionId', 'names no decision of this workspace'));
  else if (fields.version > 0 && !(await hasVersion(transaction, workspaceId, fields))) {
    errors.push(absent(named.version, 'names no saved version of this decision'));
  }
  if (!environment) errors.push(absent('/environmentId', 'names no environment of this workspace'));
  if (errors.length > 0) {
    throw new Problem('reference_not_found', `The ${named.what} refers to something that is not in this workspace.`, {
      errors,
    });
  }
}

const absent = (pointer: string, message: string): Violation => ({ in: 'body', pointer, message });

async function holdEnvironment(
  transaction: Knex.Transaction,
  workspaceId: string,
  id: string | undefined,
): Promise<boolean> {
  if (id === undefined) return true;
  const rows = await transaction('environments')
    .select('id')
    .where({ workspace_id: idToBytes(workspaceId), id: idToBytes(id) })
    .forShare();
  return rows.length === 1;
}

async function hasVersion(
  transaction: Knex.Transaction,
  workspaceId: string,
  { decisionId, version }: References,
): Promise<boolean> {
  const rows = await transaction('versions')
    .select('version')
    .where({ decision_id: idToBytes(decisionId), version, workspace_id: idToBytes(workspaceId) });
  return rows.length > 0;
}
