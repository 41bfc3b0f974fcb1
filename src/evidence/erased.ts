import { emptyAmong } from '../runs/erase.store.js';
import type { Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import { erasedOfLeaves } from './leaves.store.js';

/**
 * Of some executions those that were erased: their leaves have no salts. While a tree is refused there are no leaves, and an erasure
 * does not wait for them: then the audit trail tells of it, and nothing is left of the record.
 */
export async function erasedAmong(
  connection: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<Set<string>> {
  const leaves = await erasedOfLeaves(connection, workspaceId, ids);
  const without = ids.filter((id) => !leaves.has(id));
  const erased = new Set(ids.filter((id) => leaves.get(id)));
  for (const id of await erasedWithoutLeaf(connection, workspaceId, without)) erased.add(id);
  return erased;
}

/** Of some executions without leaves those that were erased. */
export async function erasedWithoutLeaf(
  connection: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const told = [...(await toldErased(connection, workspaceId, ids))];
  if (told.length === 0) return [];
  const empty = await emptyAmong(connection, workspaceId, told);
  return told.filter((id) => empty.get(id));
}

/** Of some executions those of which the audit trail says that they were erased. */
export async function toldErased(
  connection: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = (await connection(connection.raw('?? FORCE INDEX (??)', ['audit_entries', 'audit_entries_resource']))
    .select('resource_id')
    .where({ workspace_id: idToBytes(workspaceId), action: 'execution.erase' })
    .whereIn('resource_id', ids)) as { resource_id: string }[];
  return new Set(rows.map((row) => row.resource_id));
}
