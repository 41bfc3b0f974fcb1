import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';

/** A service that may ask for tokens. */
export interface Client {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Named sets of scopes. */
  readonly roles: ReadonlyMap<string, readonly string[]>;
  /** URIs that its tokens may be addressed to, besides this service. */
  readonly resources: readonly string[];
  readonly disabledAt: string | null;
  readonly createdAt: string;
}

/** Also used for a join in `credentials.store`. */
export interface ClientRow {
  readonly id: Buffer;
  readonly tenant_id: Buffer;
  readonly name: string;
  readonly scopes: string;
  readonly roles: string;
  readonly resources: string;
  readonly disabled_at: Date | null;
  readonly created_at: Date;
}

export const clientColumns = ['id', 'tenant_id', 'name', 'scopes', 'roles', 'resources', 'disabled_at', 'created_at'];

export const mapClient = (row: ClientRow): Client => ({
  id: idFromBytes(row.id),
  tenantId: idFromBytes(row.tenant_id),
  name: row.name,
  scopes: row.scopes.split(' '),
  roles: new Map(
    Object.entries(JSON.parse(row.roles) as Record<string, string>).map(([name, scopes]) => [name, scopes.split(' ')]),
  ),
  resources: JSON.parse(row.resources) as string[],
  disabledAt: row.disabled_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
});

/** The client with that id, of any tenant, because it is what identifies the caller. */
export async function findClient(connection: Connection, id: string): Promise<Client | undefined> {
  const [row] = (await connection('clients').select(clientColumns).where('id', idToBytes(id))) as ClientRow[];
  return row === undefined ? undefined : mapClient(row);
}

/** The clients of a tenant, or of all, oldest first; the disabled ones too. */
export async function listClients(connection: Connection, tenantId?: string): Promise<Client[]> {
  const query = connection('clients').select(clientColumns).orderBy('id');
  if (tenantId !== undefined) void query.where('tenant_id', idToBytes(tenantId));
  return ((await query) as ClientRow[]).map(mapClient);
}

/** The tenant of a client, undefined when it is disabled or not there. */
export async function findActiveTenant(connection: Connection, id: string): Promise<string | undefined> {
  const client = await findClient(connection, id);
  return client === undefined || client.disabledAt !== null ? undefined : client.tenantId;
}

/** Throws MySQL's 1452 when there is no such tenant. */
export async function insertClient(connection: Connection, client: Client): Promise<void> {
  const roles = [...client.roles].map(([name, scopes]) => [name, scopes.join(' ')]);
  await connection('clients').insert({
    id: idToBytes(client.id),
    tenant_id: idToBytes(client.tenantId),
    name: client.name,
    scopes: client.scopes.join(' '),
    roles: JSON.stringify(Object.fromEntries(roles)),
    resources: JSON.stringify(client.resources),
    disabled_at: null,
    created_at: new Date(client.createdAt),
  });
}

/** Disabling twice is disabling once, at the first time. */
export async function markDisabled(connection: Connection, id: string): Promise<void> {
  await connection('clients').where('id', idToBytes(id)).whereNull('disabled_at').update({ disabled_at: new Date() });
}

/**
 * Locks the client's row until the transaction ends, so that changes such as rotations of its secret are serialised.
 */
export async function lockClient(transaction: Connection, id: string): Promise<void> {
  await transaction('clients').select('id').where('id', idToBytes(id)).forUpdate();
}
