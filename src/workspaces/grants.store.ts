import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';

/** A client's access to one workspace of its tenant. */
export interface Grant {
  readonly tenantId: string;
  readonly clientId: string;
  readonly workspaceId: string;
}

const bytesOf = ({ tenantId, clientId, workspaceId }: Grant): Buffer[] =>
  [tenantId, clientId, workspaceId].map(idToBytes);

export async function hasGrant(connection: Connection, grant: Grant): Promise<boolean> {
  const [rows] = await connection.raw<[unknown[]]>(
    'SELECT 1 FROM grants WHERE tenant_id = ? AND client_id = ? AND workspace_id = ?',
    bytesOf(grant),
  );
  return rows.length > 0;
}

/** Granting twice is granting once. Throws MySQL's 1452 when client and workspace are not both of the tenant. */
export async function insertGrant(connection: Connection, grant: Grant): Promise<void> {
  await connection.raw(
    `INSERT INTO grants (tenant_id, client_id, workspace_id, created_at) VALUES (?, ?, ?, ?)
     ON DUPLICATE KEY UPDATE client_id = client_id`,
    [...bytesOf(grant), new Date()],
  );
}

/** False when there was no such grant. */
export async function deleteGrant(connection: Connection, grant: Grant): Promise<boolean> {
  const [result] = await connection.raw<[{ affectedRows: number }]>(
    'DELETE FROM grants WHERE tenant_id = ? AND client_id = ? AND workspace_id = ?',
    bytesOf(grant),
  );
  return result.affectedRows > 0;
}

/** Ids of the workspaces that a client is granted, ascending. */
export async function listGrants(
  connection: Connection,
  { tenantId, clientId }: { tenantId: string; clientId: string },
): Promise<string[]> {
  const [rows] = await connection.raw<[{ workspace_id: Buffer }[]]>(
    'SELECT workspace_id FROM grants WHERE tenant_id = ? AND client_id = ? ORDER BY workspace_id',
    [idToBytes(tenantId), idToBytes(clientId)],
  );
  return rows.map((row) => idFromBytes(row.workspace_id));
}
