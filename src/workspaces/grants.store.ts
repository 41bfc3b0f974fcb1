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
  // INSERT IGNORE would pass over a missing parent too.
  await connection('grants')
    .insert({ ...keyOf(grant), created_at: new Date() })
    .onConflict()
    .merge(['client_id']);
}

/** False when there was no such grant. */
export async function deleteGrant(connection: Connection, grant: Grant): Promise<boolean> {
  return (await connection('grants').where(keyOf(grant)).delete()) > 0;
}

/** Ids of the workspaces that a client is granted, ascending. */
export async function listGrants(
  connection: Connection,
  { tenantId, clientId }: { tenantId: string; clientId: string },
): Promise<string[]> {
  const rows = (await connection('grants')
    .select('workspace_id')
    .where({ tenant_id: idToBytes(tenantId), client_id: idToBytes(clientId) })
    .orderBy('workspace_id')) as { workspace_id: Buffer }[];
  return rows.map((row) => idFromBytes(row.workspace_id));
}
