import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes, newId } from '../storage/ids.js';
import { columnsOf, limitColumns, limitOf, type Limit, type LimitColumns } from '../rates/limit.js';
import { readPage, type Page, type PageRequest } from '../storage/pages.js';

/** What decisions, environments and executions belong to. */
export interface Workspace {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  /** The limit for all users of the workspace together. */
  readonly limit: Limit | null;
  readonly createdAt: string;
}

interface Row extends LimitColumns {
  readonly id: Buffer;
  readonly tenant_id: Buffer;
  readonly name: string;
  readonly created_at: Date;
}

const columns = ['id', 'tenant_id', 'name', ...limitColumns, 'created_at'];

const mapRow = (row: Row): Workspace => ({
  id: idFromBytes(row.id),
  tenantId: idFromBytes(row.tenant_id),
  name: row.name,
  limit: limitOf(row),
  createdAt: row.created_at.toISOString(),
});

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
  return { id, tenantId, name, limit: null, createdAt: now.toISOString() };
}

/** A page of a tenant's workspaces. */
export const pageOfTenant = (
  connection: Connection,
  tenantId: string,
  request: PageRequest,
): Promise<Page<Workspace>> =>
  readPage(connection('workspaces').select(columns).where('tenant_id', idToBytes(tenantId)), request, mapRow);

export async function findWorkspace(connection: Connection, id: string): Promise<Workspace | undefined> {
  const [row] = (await connection('workspaces').select(columns).where('id', idToBytes(id))) as Row[];
  return row === undefined ? undefined : mapRow(row);
}

export async function updateWorkspace(connection: Connection, { id, name, limit }: Workspace): Promise<void> {
  await connection('workspaces')
    .where('id', idToBytes(id))
    .update({ name, ...columnsOf(limit) });
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
