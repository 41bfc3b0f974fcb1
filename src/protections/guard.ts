import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { idToBytes } from '../storage/ids.js';
import { findProtection, type Place } from './protections.store.js';

/**
 * Refuses a direct write to an environment that is protected. Locks the environment until the transaction ends, as who
 * protects it does, so that it is not protected between the look and the write. To be called before decisions, routing
 * heads and deployments are locked.
 * @throws Problem `approval_required`
 */
export async function requireUnprotected(transaction: Knex.Transaction, place: Place): Promise<void> {
  if (await isProtected(transaction, place)) throw approvalRequired(place.environmentId);
}

/** Whether it is; and until the transaction ends it stays so. */
export async function isProtected(transaction: Knex.Transaction, place: Place): Promise<boolean> {
  await transaction('environments')
    .select('id')
    .where({ id: idToBytes(place.environmentId), workspace_id: idToBytes(place.workspaceId) })
    .forShare();
  return (await findProtection(transaction, place)) !== undefined;
}

const approvalRequired = (environmentId: string): Problem =>
  new Problem(
    'approval_required',
    `The environment ${environmentId} is protected: open a change request, have it approved, and apply it.`,
  );
