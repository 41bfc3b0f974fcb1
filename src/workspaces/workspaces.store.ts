import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes, newId } from '../storage/ids.js';

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

/** The workspaces of a tenant, or of all, oldest first. */
export async function listWorkspaces(connection: Connection, tenantId?: string): Promise<Workspace[]> {
  const query = connection('workspaces').select('id', 'tenant_id', 'name', 'created_at').orderBy('id');
  if (tenantId !== undefined) void query.where('tenant_id', idToBytes(tenantId));
  const rows = (await query) as { id: Buffer; tenant_id: Buffer; name: string; created_at: Date }[];
  return rows.map((row) => ({
    id: idFromBytes(row.id),
    tenantId: idFromBytes(row.tenant_id),
    name: row.name,
    createdAt: row.created_at.toISOString(),
  }));
}
