import { columnsOf, limitColumns, limitOf, type Limit, type LimitColumns } from '../rates/limit.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { readPage, type Page, type PageRequest } from '../storage/pages.js';

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
  readonly limit: Limit | null;
  /** The client whose requests its own are counted with: a limited one that made it; null where it has a count of its own. */
  readonly bucketId: string | null;
  /** From this time on the client gets no tokens, and its present tokens are refused. */
  readonly expiresAt: string | null;
  readonly disabledAt: string | null;
  readonly createdAt: string;
}

/** Also used for a join in `credentials.store`. */
export interface ClientRow extends LimitColumns {
  readonly id: Buffer;
  readonly tenant_id: Buffer;
  readonly name: string;
  readonly scopes: string;
  readonly roles: string;
  readonly resources: string;
  readonly bucket_id: Buffer | null;
  readonly expires_at: Date | null;
  readonly disabled_at: Date | null;
  readonly created_at: Date;
}

export const clientColumns = [
  ...[
    'id',
    'tenant_id',
    'name',
    'scopes',
    'roles',
    'resources',
    'bucket_id',
    'expires_at',
    'disabled_at',
    'created_at',
  ],
  ...limitColumns,
];

export const mapClient = (row: ClientRow): Client => ({
  id: idFromBytes(row.id),
  tenantId: idFromBytes(row.tenant_id),
  name: row.name,
  scopes: row.scopes.split(' '),
  roles: new Map(
    Object.entries(JSON.parse(row.roles) as Record<string, string>).map(([name, scopes]) => [name, scopes.split(' ')]),
  ),
  resources: JSON.parse(row.resources) as string[],
  limit: limitOf(row),
  bucketId: row.bucket_id === null ? null : idFromBytes(row.bucket_id),
  expiresAt: row.expires_at?.toISOString() ?? null,
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

/** A page of a tenant's clients; the disabled ones too. */
export const pageOfClients = (connection: Connection, tenantId: string, request: PageRequest): Promise<Page<Client>> =>
  readPage(connection('clients').select(clientColumns).where('tenant_id', idToBytes(tenantId)), request, mapClient);

/** Whether it may have tokens, and use those that it has. */
export const isActive = ({ disabledAt, expiresAt }: Pick<Client, 'disabledAt' | 'expiresAt'>): boolean =>
  disabledAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());

/** Undefined when the client is disabled, has expired, or is not there. */
export async function findActiveClient(connection: Connection, id: string): Promise<Client | undefined> {
  const client = await findClient(connection, id);
  return client !== undefined && isActive(client) ? client : undefined;
}

/** Throws MySQL's 1452 when there is no such tenant. */
export async function insertClient(connection: Connection, client: Client): Promise<void> {
  await connection('clients').insert({
    id: idToBytes(client.id),
    tenant_id: idToBytes(client.tenantId),
    bucket_id: client.bucketId === null ? null : idToBytes(client.bucketId),
    ...changeable(client),
    created_at: new Date(client.createdAt),
  });
}

export async function updateClient(connection: Connection, client: Client): Promise<void> {
  await connection('clients').where('id', idToBytes(client.id)).update(changeable(client));
}

/** Deletes the client with its secrets and grants. */
export async function deleteClient(connection: Connection, id: string): Promise<void> {
  await connection('clients').where('id', idToBytes(id)).delete();
}

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

function changeable({ name, scopes, roles, resources, limit, expiresAt, disabledAt }: Client) {
  return {
    name,
    scopes: scopes.join(' '),
    roles: JSON.stringify(Object.fromEntries([...roles].map(([role, its]) => [role, its.join(' ')]))),
    resources: JSON.stringify(resources),
    ...columnsOf(limit),
    expires_at: dateOf(expiresAt),
    disabled_at: dateOf(disabledAt),
  };
}
