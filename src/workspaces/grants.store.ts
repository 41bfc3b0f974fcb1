import { Problem } from '../errors.js';
import { limitColumn, type Limit } from '../rates/limit.js';
import type { Row } from '../storage/columns.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';

/** A client's access to one workspace of its tenant. */
interface Grant {
  readonly tenantId: string;
  readonly clientId: string;
  readonly workspaceId: string;
}

const keyOf = ({ tenantId, clientId, workspaceId }: Grant): Record<string, Buffer> => ({
  tenant_id: idToBytes(tenantId),
  client_id: idToBytes(clientId),
  workspace_id: idToBytes(workspaceId),
});

/** A grant with the limit of its workspace; undefined where there is no such grant. */
export async function findGrant(
  connection: Connection,
  { tenantId, clientId, workspaceId }: Grant,
): Promise<{ readonly limit: Limit | null } | undefined> {
  const [row] = (await connection('grants as g')
    .join('workspaces as w', 'w.id', 'g.workspace_id')
    .select(limitColumn.names.map((column) => `w.${column}`))
    .where({
      'g.tenant_id': idToBytes(tenantId),
      'g.client_id': idToBytes(clientId),
      'g.workspace_id': idToBytes(workspaceId),
    })) as Row[];
  return row && { limit: limitColumn.read(row) };
}

/** Throws `exceeds_own_rights` where there is no such grant. */
export async function requireGranted(connection: Connection, grant: Grant): Promise<void> {
  if ((await findGrant(connection, grant)) !== undefined) return;
  throw new Problem('exceeds_own_rights', 'The workspace is not granted to the client that asks.');
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

/** Ids of the workspaces that some clients of a tenant are granted: by the client's id, oldest first. */
export async function grantsOf(
  connection: Connection,
  tenantId: string,
  clientIds: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const rows = (await connection('grants')
    .select('client_id', 'workspace_id')
    .where('tenant_id', idToBytes(tenantId))
    .whereIn('client_id', clientIds.map(idToBytes))
    .orderBy('workspace_id')) as { client_id: Buffer; workspace_id: Buffer }[];
  const granted = new Map<string, string[]>();
  for (const row of rows) {
    const clientId = idFromBytes(row.client_id);
    const its = granted.get(clientId) ?? [];
    its.push(idFromBytes(row.workspace_id));
    granted.set(clientId, its);
  }
  return granted;
}
