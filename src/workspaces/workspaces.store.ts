import type { Connection } from '../storage/database.js';
import { idToBytes, newId } from '../storage/ids.js';

/** What decisions, environments and executions belong to. */
export interface Workspace {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly createdAt: string;
}

/** Throws MySQL's 1452 when there is no such tenant. */
export async function insertWorkspace(
  connection: Connection,
  { tenantId, name }: { tenantId: string; name: string },
): Promise<Workspace> {
  const id = newId();
  const now = new Date();
  await connection('workspaces').insert({
    id: idToBytes(id),
    tenant_id: idToBytes(tenantId),
    name,
    created_at: now,
  });
  return { id, tenantId, name, createdAt: now.toISOString() };
}
