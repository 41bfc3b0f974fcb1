import type { Client, UpdateClient } from '../access/clients.schema.js';
import { changeClient, createClient, removeClient, shownClient, type ClientChange } from '../access/clients.service.js';
import type { GrantedClient } from '../access/changing.js';
import { listClients } from '../oauth/clients.store.js';
import { rotateSecret, type RotatedSecret } from '../access/clientSecrets.js';
import { listGrants } from '../workspaces/grants.store.js';
import { requireTenant, serviceUnlessOperator, type EitherOptions } from './remote/either.js';
import { operations } from '#openapi/operations.gen.js';
import type { Service } from './remote/service.js';
import type { Session } from './session.js';

interface NewClient {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly roles: readonly (readonly [name: string, scopes: string])[];
  readonly resources: readonly string[];
  readonly workspaces: readonly string[];
  readonly expiresAt: string | null;
}

/** What commands do with clients, by HTTP or on the database. */
export interface Clients {
  create(fields: NewClient): Promise<Client & { readonly secret: string }>;
  list(): Promise<Client[]>;
  change(id: string, changeOf: (present: Client) => UpdateClient): Promise<Client>;
  remove(id: string): Promise<void>;
  rotateSecret(id: string): Promise<RotatedSecret>;
}

export function clientsFor(session: Session, options: EitherOptions): Clients {
  const service = serviceUnlessOperator(session, options);
  return service === undefined ? onDatabase(session, options.tenant) : byHttp(service);
}

function byHttp(service: Service): Clients {
  return {
    async create({ roles, ...fields }) {
      const body = JSON.stringify({ ...fields, roles: Object.fromEntries(roles.map(split)) });
      return (await service.send(operations.createClient, { body })).body;
    },
    list: () => service.all(operations.listClients),
    async change(id, changeOf) {
      const params = { id };
      const { body: present, headers } = await service.send(operations.getClient, { params });
      const request = { params, headers: { 'If-Match': headers.get('etag') ?? '*' } };
      const body = JSON.stringify(changeOf(present));
      return (await service.send(operations.updateClient, { ...request, body })).body;
    },
    async remove(id) {
      await service.send(operations.deleteClient, { params: { id } });
    },
    async rotateSecret(id) {
      return (await service.send(operations.createClientSecret, { params: { id } })).body;
    },
  };
}

const split = ([name, scopes]: readonly [string, string]): [string, string[]] => [
  name,
  scopes.split(' ').filter((scope) => scope !== ''),
];

function onDatabase(session: Session, tenant: string | undefined): Clients {
  return {
    async create(fields) {
      const { scopes, ...rest } = fields;
      const made = await createClient(session.stores(), {
        ...rest,
        scopes: scopes.join(' '),
        tenantId: requireTenant(tenant),
      });
      return { ...shown(made.client), secret: made.secret };
    },
    async list() {
      const database = session.database();
      const [found, granted] = await Promise.all([listClients(database, tenant), listGrants(database, tenant)]);
      return found.map((client) => shown({ ...client, workspaces: granted.get(client.id) ?? [] }));
    },
    async change(id, changeOf) {
      const ref = { id, tenantId: tenant };
      return shown(await changeClient(session.stores(), ref, (present) => changed(changeOf(shown(present)))));
    },
    remove: (id) => removeClient(session.stores(), { id, tenantId: tenant }, () => undefined),
    rotateSecret: (id) => rotateSecret(session.stores(), { id, tenantId: tenant }),
  };
}

const shown = (client: GrantedClient): Client => {
  const { scopes, resources, ...rest } = shownClient(client);
  const roles = Object.fromEntries([...client.roles].map(([name, its]) => [name, [...its]]));
  return { ...rest, roles, scopes: [...scopes], resources: [...resources], workspaces: [...client.workspaces] };
};

/** Commands change no roles. */
const changed = ({ scopes, roles: _, ...rest }: UpdateClient): ClientChange => ({
  ...rest,
  ...(scopes === undefined ? {} : { scopes: scopes.join(' ') }),
});
