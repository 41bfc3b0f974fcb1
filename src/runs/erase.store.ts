import type { Knex } from 'knex';
import { idToBytes } from '../storage/ids.js';

/** The status of a used key whose answer was erased. */
export const erasedStatus = 410;

/** Empties records of executions, and the answers that repeats of their requests would get. Their keys stay used. */
export async function eraseExecutions(
  transaction: Knex.Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  const workspace = { workspace_id: idToBytes(workspaceId) };
  await transaction('executions')
    .where(workspace)
    .whereIn('id', ids.map(idToBytes))
    .update({ fact: null, result: 'null', error: null, trace: null });
  await transaction('idempotency_keys')
    .where(workspace)
    .whereIn('execution_id', ids.map(idToBytes))
    .whereNotNull('status')
    .update({ status: erasedStatus, answer: null });
}
