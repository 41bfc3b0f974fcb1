import type { Knex } from 'knex';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import type { WholeExecution } from './history.store.js';

/** The status of a used key whose answer was erased. */
export const erasedStatus = 410;

/** What an erasure leaves of a record. One that has no fact alone was recorded without. */
const emptied = { fact: null, result: 'null', error: null, trace: null, selection: null };
const columns = Object.entries(emptied);
/** SQL of such a record. */
const empty = columns.map(([name, text]) => (text === null ? `${name} IS NULL` : `${name} = '${text}'`)).join(' AND ');

/** Whether nothing is kept in a record. */
export const isEmpty = (record: Pick<WholeExecution, keyof typeof emptied>): boolean =>
  columns.every(([name, text]) => record[name as keyof typeof emptied] === text);

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
  await records.update(emptied);
  await transaction('idempotency_keys')
    .where(workspace)
    .whereIn('execution_id', ids.map(idToBytes))
    .whereNotNull('status')
    .update({ status: erasedStatus, answer: null });
  return full.map(idFromBytes);
}
