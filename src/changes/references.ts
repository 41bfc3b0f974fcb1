import type { Knex } from 'knex';
import { findVersion } from '../decisions/versions.store.js';
import { Problem, type Violation } from '../errors.js';
import { idToBytes } from '../storage/ids.js';
import type { EnvironmentRef } from '../storage/resourceTable.js';
import type { Detail } from './readChanges.js';

/** A version that a request would deploy. */
export interface Target {
  readonly decisionId: string;
  readonly decisionKey: string;
  readonly version: number;
}

/**
 * The versions that changes deploy. The environment and the decisions are locked until the transaction ends, in the order
 * of `requireReferences`, so that none is removed.
 * @throws Problem `reference_not_found` with everything that is not in the workspace
 */
export async function requireTargets(
  transaction: Knex.Transaction,
  { workspaceId, environmentId }: EnvironmentRef,
  details: readonly Detail[],
): Promise<Target[]> {
  const workspace = idToBytes(workspaceId);
  const errors: Violation[] = [];
  const blame = (pointer: string, message: string): void => void errors.push({ in: 'body', pointer, message });
  const environment = (await transaction('environments')
    .select('id')
    .where({ workspace_id: workspace, id: idToBytes(environmentId) })
    .forShare()) as unknown[];
  if (environment.length === 0) blame('/environmentId', 'names no environment of this workspace');
  const deployed = details.flatMap((detail, position) => (detail.type === 'deploy' ? { ...detail, position } : []));
  const keys = await lockDecisions(
    transaction,
    workspace,
    deployed.map(({ decisionId }) => decisionId),
  );
  const targets: Target[] = [];
  for (const { decisionId, version, position } of deployed) {
    const decisionKey = keys.get(decisionId);
    const found = await findVersion(transaction, workspaceId, decisionId, version);
    if (decisionKey === undefined) blame(`/changes/${position}/decisionId`, 'names no decision of this workspace');
    else if (found === undefined) blame(`/changes/${position}/version`, 'names no saved version of this decision');
    else targets.push({ decisionId, decisionKey, version });
  }
  if (errors.length === 0) return targets;
  const detail = 'The change request refers to something that is not in this workspace.';
  throw new Problem('reference_not_found', detail, { errors });
}

/** In the order of their ids, so that requests on the same decisions wait for one another instead of deadlocking. */
async function lockDecisions(
  transaction: Knex.Transaction,
  workspace: Buffer,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const id of [...ids].sort()) {
    const [row] = (await transaction('decisions')
      .select('decision_key')
      .where({ workspace_id: workspace, id: idToBytes(id) })
      .forShare()) as { decision_key: string }[];
    if (row !== undefined) keys.set(id, row.decision_key);
  }
  return keys;
}
