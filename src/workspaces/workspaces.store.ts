import type { Connection } from '../storage/database.js';
import { limitColumn, type Limit } from '../rates/limit.js';
import { id, plain, time } from '../storage/columns.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { readPage, type Page, type PageRequest } from '../storage/pages.js';
import { ResourceTable } from '../storage/resourceTable.js';

/** What decisions, environments and executions belong to. */
export interface Workspace {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  /** The limit for all users of the workspace together. */
  readonly limit: Limit | null;
  readonly createdAt: string;
}

const workspaces = new ResourceTable<Workspace>({
  type: 'workspace',
  table: 'workspaces',
  owner: 'tenant_id',
  columns: {
    id: id(),
    tenantId: id('tenant_id'),
    name: plain('name'),
    limit: limitColumn,
    createdAt: time('created_at'),
  },
});

/** Throws MySQL's 1452 when there is no such tenant. */
export const insertWorkspace = (
  connection: Connection,
  { tenantId, name }: Pick<Workspace, 'tenantId' | 'name'>,
): Promise<Workspace> => workspaces.insert(connection, tenantId, { name, limit: null });

/** A page of a tenant's workspaces. */
export const pageOfTenant = (...of: Parameters<typeof workspaces.list>): Promise<Page<Workspace>> =>
  workspaces.list(...of);

/** Of any tenant, where it is not told. */
export const findWorkspace = (connection: Connection, id: string, tenantId?: string): Promise<Workspace | undefined> =>
  workspaces.find(connection, { id, tenantId });

/** Rejects with `workspace_not_found`. */
export const requireWorkspace = (
  connection: Connection,
  { workspaceId, tenantId }: { readonly workspaceId: string; readonly tenantId?: string | undefined },
): Promise<Workspace> => workspaces.require(connection, { id: workspaceId, tenantId });

export const updateWorkspace = (connection: Connection, { name, limit, ...ref }: Workspace): Promise<void> =>
  workspaces.update(connection, ref, { name, limit });

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
