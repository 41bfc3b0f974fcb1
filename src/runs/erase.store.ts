import type { Knex } from 'knex';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';

/** The status of a used key whose answer was erased. */
export const erasedStatus = 410;

/** SQL of a record that nothing is kept in. */
const empty = "fact IS NULL AND result = 'null' AND error IS NULL AND trace IS NULL AND selection IS NULL";

/** Of some executions those that have a record, and whether that is empty, as an erasure leaves it. */
export async function emptyAmong(
  connection: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, boolean>> {
  const rows = (await connection('executions')
    .select('id', {
      is_empty: connection.raw(empty),
    })
    .where('workspace_id', idToBytes(workspaceId))
    .whereIn('id', ids.map(idToBytes))) as { id: Buffer; is_empty: number }[];
  return new Map(rows.map((row) => [idFromBytes(row.id), row.is_empty === 1]));
}

/**
 * Empties records of executions, and the answers that repeats of their requests would get. Their keys stay used. Resolves with those
 * that were not empty.
 */
export async function eraseExecutions(
  transaction: Knex.Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  const workspace = { workspace_id: idToBytes(workspaceId) };
  const records = transaction('executions').where(workspace).whereIn('id', ids.map(idToBytes));
  const full = (await records.clone().whereRaw(`NOT (${empty})`).forUpdate().pluck('id')) as Buffer[];
  await records.update({ fact: null, result: 'null', error: null, trace: null, selection: null });
  await transaction('idempotency_keys')
    .where(workspace)
    .whereIn('execution_id', ids.map(idToBytes))
    .whereNotNull('status')
    .update({ status: erasedStatus, answer: null });
  return full.map(idFromBytes);
}
