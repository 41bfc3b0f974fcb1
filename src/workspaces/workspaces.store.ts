import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes, newId } from '../storage/ids.js';
import { readPage, type Page, type PageRequest } from '../storage/pages.js';

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

type NamedWorkspace = Pick<Workspace, 'id' | 'name'>;

const mapNamed = ({ id, name }: { id: Buffer; name: string }): NamedWorkspace => ({ id: idFromBytes(id), name });

/** A page of the workspaces that a client is granted. */
export function pageOfGranted(
  connection: Connection,
  client: { readonly id: string; readonly tenantId: string },
  request: PageRequest,
): Promise<Page<NamedWorkspace>> {
  const granted = connection('grants as g')
    .join('workspaces as w', { 'w.tenant_id': 'g.tenant_id', 'w.id': 'g.workspace_id' })
    .select('w.id', 'w.name')
    .where({ 'g.tenant_id': idToBytes(client.tenantId), 'g.client_id': idToBytes(client.id) });
  return readPage(granted, request, mapNamed, { column: 'g.workspace_id' });
}

/** A page of the workspaces of these ids. */
export function pageOfWorkspaces(
  connection: Connection,
  ids: readonly string[],
  request: PageRequest,
): Promise<Page<NamedWorkspace>> {
  const named = connection('workspaces').select('id', 'name').whereIn('id', ids.map(idToBytes));
  return readPage(named, request, mapNamed);
}
