import { limitColumn, type Limit } from '../rates/limit.js';
import { column, id, idOrNull, json, plain, time, timeOrNull, words } from '../storage/columns.js';
import type { Connection } from '../storage/database.js';
import { ResourceTable } from '../storage/resourceTable.js';

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

/** Its rows are read with secrets in `credentials.store` too. */
export const clients = new ResourceTable<Client>({
  type: 'client',
  table: 'clients',
  owner: 'tenant_id',
  columns: {
    id: id(),
    tenantId: id('tenant_id'),
    name: plain('name'),
    scopes: words('scopes'),
    roles: column<Client['roles']>(
      'roles',
      (stored: string) =>
        new Map(
          Object.entries(JSON.parse(stored) as Record<string, string>).map(([name, its]) => [name, its.split(' ')]),
        ),
      (roles) => JSON.stringify(Object.fromEntries([...roles].map(([name, its]) => [name, its.join(' ')]))),
    ),
    resources: json('resources'),
    limit: limitColumn,
    bucketId: idOrNull('bucket_id'),
    expiresAt: timeOrNull('expires_at'),
    disabledAt: timeOrNull('disabled_at'),
    createdAt: time('created_at'),
  },
});

/** The client with that id, of whichever tenant: the id is what identifies the caller. */
export const findClient = (connection: Connection, id: string): Promise<Client | undefined> =>
  clients.find(connection, { id, tenantId: undefined });

/** The clients of a tenant, or of all, oldest first; the disabled ones too. */
export async function listClients(connection: Connection, tenantId?: string): Promise<Client[]> {
  return ((await clients.rows(connection, tenantId).orderBy('id')) as object[]).map(clients.map);
}

/** Whether it may have tokens, and use those that it has. */
export const isActive = ({ disabledAt, expiresAt }: Pick<Client, 'disabledAt' | 'expiresAt'>): boolean =>
  disabledAt === null && (expiresAt === null || Date.parse(expiresAt) > Date.now());

/** Undefined when the client is disabled, has expired, or is not there. */
export async function findActiveClient(connection: Connection, id: string): Promise<Client | undefined> {
  const client = await findClient(connection, id);
  return client !== undefined && isActive(client) ? client : undefined;
}
