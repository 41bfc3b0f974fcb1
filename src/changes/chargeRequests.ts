import { batches } from '../storage/batches.js';
import type { Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import type { PageAccount } from '../storage/pages.js';

/**
 * What is read with requests, and how often its bytes are in memory at once: all as they came, within the answer, and as
 * that is sent; values also opened and parsed.
 */
const parts = [
  { table: 'change_request_changes', column: 'value', copies: 6 },
  { table: 'change_request_changes', column: 'replaces', copies: 6 },
  { table: 'change_request_changes', column: 'detail', copies: 3 },
  { table: 'change_reviews', column: 'message', copies: 3 },
  { table: 'change_checks', column: 'detail', copies: 3 },
] as const;

interface Sum {
  readonly bytes: number | string | null;
}

/** Charges an account for what belongs to requests, before it is read. Throws what the account refuses with. */
export async function chargeRequests(
  connection: Connection,
  { workspaceId, ids }: { readonly workspaceId: string; readonly ids: readonly string[] },
  account: PageAccount,
): Promise<void> {
  for (const batch of batches(ids)) {
    for (const { table, column, copies } of parts) {
      const [sum] = await connection(table)
        .where('workspace_id', idToBytes(workspaceId))
        .whereIn('change_request_id', batch.map(idToBytes))
        .sum<Sum[]>({ bytes: connection.raw('LENGTH(??)', [column]) });
      account.grow(copies * Number(sum?.bytes ?? 0));
    }
  }
}
