import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';

/** A client's access to one workspace of its tenant. */
export interface Grant {
  readonly tenantId: string;
  readonly clientId: string;
  readonly workspaceId: string;
}

const keyOf = ({ tenantId, clientId, workspaceId }: Grant): Record<string, Buffer> => ({
  tenant_id: idToBytes(tenantId),
  client_id: idToBytes(clientId),
  workspace_id: idToBytes(workspaceId),
});

export async function hasGrant(connection: Connection, grant: Grant): Promise<boolean> {
  const row: unknown = await connection('grants').where(keyOf(grant)).first('client_id');
  return row !== undefined;
}

/** Granting twice is granting once. Throws MySQL's 1452 unless client and workspace are both of the tenant. */
export async function insertGrant(connection: Connection, grant: Grant): Promise<void> {
  // INSERT IGNORE would ignore a missing parent too.
  await connection('grants')
    .insert({ ...keyOf(grant), created_at: new Date() })
    .onConflict()
    .merge(['client_id']);
}

/** False when there was no such grant. */
export async function deleteGrant(connection: Connection, grant: Grant): Promise<boolean> {
  return (await connection('grants').where(keyOf(grant)).delete()) > 0;
}

/** Ids of the workspaces that each client of a tenant, or of all, is granted: by the client's id, oldest first. */
export async function listGrants(connection: Connection, tenantId?: string): Promise<Map<string, readonly string[]>> {
  const query = connection('grants').select('client_id', 'workspace_id').orderBy('workspace_id');
  if (tenantId !== undefined) void query.where('tenant_id', idToBytes(tenantId));
  const granted = new Map<string, string[]>();
  for (const row of (await query) as { client_id: Buffer; workspace_id: Buffer }[]) {
    const clientId = idFromBytes(row.client_id);
    const its = granted.get(clientId) ?? [];
    its.push(idFromBytes(row.workspace_id));
    granted.set(clientId, its);
  }
  return granted;
}
