import type { Knex } from 'knex';
import { idToBytes } from '../../src/storage/ids.js';
import { inChunks, oldIds, timeOf } from './seed.js';

const rowsPerStatement = 1000;

/** Entries of a workspace, spread over the last month: updates of environments by some clients. */
export async function seedAuditEntries(
  database: Knex,
  { workspaceId, tenantId }: { readonly workspaceId: string; readonly tenantId: string },
  count: number,
  advance: (rows: number) => void = () => undefined,
): Promise<void> {
  const idOf = oldIds(count);
  await inChunks(count, rowsPerStatement, async (indexes) => {
    const rows = indexes.map((index) => {
      const id = idOf(index);
      const state = { id: workspaceId, name: `Place ${index % 100}`, description: null, color: '#123456' };
      return {
        id,
        tenant_id: idToBytes(tenantId),
        workspace_id: idToBytes(workspaceId),
        principal: `client:${tenantId}`,
        request_id: id,
        action: 'environment.update',
        resource_type: 'environment',
        resource_id: workspaceId,
        resource_key: null,
        before_state: JSON.stringify(state),
        after_state: JSON.stringify({ ...state, name: `Place ${index % 101}` }),
        created_at: timeOf(id),
      };
    });
    await database('audit_entries').insert(rows);
    advance(rows.length);
  });
}
