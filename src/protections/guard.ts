import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { idToBytes } from '../storage/ids.js';
import type { EnvironmentRef } from '../storage/resourceTable.js';
import { findProtection } from './protections.store.js';

/**
 * Refuses a direct write to an environment that is protected. Locks the environment until the transaction ends, as who
 * protects it does, so that it is not protected between the look and the write. To be called before decisions, routing
 * heads and deployments are locked.
 * @throws Problem `approval_required`
 */
export async function requireUnprotected(transaction: Knex.Transaction, ref: EnvironmentRef): Promise<void> {
  if (await isProtected(transaction, ref)) throw approvalRequired(ref.environmentId);
}

/** Whether it is; and until the transaction ends it stays so. */
export async function isProtected(transaction: Knex.Transaction, ref: EnvironmentRef): Promise<boolean> {
  await transaction('environments')
    .select('id')
    .where({ id: idToBytes(ref.environmentId), workspace_id: idToBytes(ref.workspaceId) })
    .forShare();
  return (await findProtection(transaction, ref)) !== undefined;
}

const approvalRequired = (environmentId: string): Problem =>
  new Problem(
    'approval_required',
    `The environment ${environmentId} is protected: open a change request, have it approved, and apply it.`,
  );
