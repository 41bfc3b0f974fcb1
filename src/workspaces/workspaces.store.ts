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

export const workspaces = new ResourceTable<Workspace>({
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
