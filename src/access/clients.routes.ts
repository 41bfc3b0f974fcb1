import type { Knex } from 'knex';
import { actorOf } from '../api/actor.js';
import { Problem } from '../errors.js';
import { clientRoute, type ClientRequest, type ClientRoute } from '../api/clientRoute.js';
import { IdParams } from '../api/fields.js';
import { parseTimestamp } from '../formats.js';
import type { Reply } from '../api/operation.js';
import { paged, pageOf, readPageRequest } from '../api/paginate.js';
import { requireMatchTag } from '../api/preconditions.js';
import {
  conditionalGet,
  conditionalWrite,
  representTagged,
  representTaggedUnlessCurrent,
  tagOf,
} from '../api/resource.js';
import type { Encryption } from '../storage/encryption.js';
import { grantsOf } from '../workspaces/grants.store.js';
import { requireClient, type GrantedClient } from './changing.js';
import {
  Client,
  CreateClient,
  NewClient,
  NewSecret,
  UpdateClient,
  type CreateClient as CreateFields,
  type UpdateClient as UpdateFields,
} from './clients.schema.js';
import { changeClient, createClient, removeClient, shownClient, type ClientChange } from './clients.service.js';
import { rotateSecret } from './clientSecrets.js';
import { pageOfClients } from '../oauth/clients.store.js';

interface Dependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
}

const path = '/core/v1/clients';
const onePath = `${path}/{id}`;
const tag = 'Access';
const unstored = { 'Cache-Control': 'no-store' } as const;

/** What a tenant does with its clients: each gives at most what it has itself. */
export function clientsRoutes({ database, encryption }: Dependencies): ClientRoute[] {
  return [
    clientRoute({
      method: 'GET',
      path,
      operationId: 'listClients',
      tag,
      summary: "List the tenant's clients, the disabled ones too",
      scope: 'clients:read',
      ...paged,
      replies: { 200: pageOf(Client) },
      problems: ['too_many_requests'],
      async handle({ principal: { tenantId }, query }) {
        const { data, page } = await pageOfClients(database, tenantId, readPageRequest(query));
        const ids = data.map(({ id }) => id);
        const granted = await grantsOf(database, tenantId, ids);
        const clients = data.map((client) => shown({ ...client, workspaces: granted.get(client.id) ?? [] }));
        return { status: 200, body: { data: clients, page } };
      },
    }),
    clientRoute({
      method: 'POST',
      path,
      operationId: 'createClient',
      tag,
      summary: 'Create a client, which has at most what the one has that asks; its secret is shown this once',
      scope: 'client:write',
      body: CreateClient,
      replies: { 201: NewClient },
      replyHeaders: ['ETag', 'Cache-Control'],
      problems: ['exceeds_own_rights', 'reference_not_found', 'too_many_requests'],
      async handle(request) {
        const { name, scopes, workspaces = [], resources = [], roles = {} } = request.body;
        const made = await createClient(
          { ...writerOf(request), encryption },
          {
            ...readFields({ roles, ...request.body }),
            ...{ name, scopes: scopes.join(' '), workspaces, resources, roles: pairsOf(roles) },
            tenantId: request.principal.tenantId,
          },
        );
        const client = shown(made.client);
        return {
          status: 201,
          body: { ...client, secret: made.secret },
          headers: { ETag: tagOf(client), ...unstored },
        };
      },
    }),
    clientRoute({
      method: 'GET',
      path: onePath,
      operationId: 'getClient',
      tag,
      summary: 'Get a client',
      scope: 'clients:read',
      params: IdParams,
      ...conditionalGet(Client),
      problems: ['client_not_found', 'too_many_requests'],
      async handle(request) {
        const client = await requireClient(database, refOf(request));
        return representTaggedUnlessCurrent(request.header('If-None-Match'), shown(client));
      },
    }),
    clientRoute({
      method: 'PATCH',
      path: onePath,
      operationId: 'updateClient',
      tag,
      summary: 'Change what a client may do, within 5 s; what is added is at most what the one has that asks',
      description:
        'A change that adds anything (a scope, a workspace, a resource, time, a higher limit, or to enable it) is refused ' +
        'unless all that the client then has is also had by the one that asks.',
      scope: 'client:write',
      params: IdParams,
      body: UpdateClient,
      ...conditionalWrite(Client),
      problems: [
        ...(['client_not_found', 'exceeds_own_rights', 'last_client_writer', 'precondition_failed'] as const),
        ...(['reference_not_found', 'too_many_requests'] as const),
      ],
      async handle(request) {
        const client = await changeClient(writerOf(request), refOf(request), (present) => {
          requireMatchTag(request.header('If-Match'), tagOf(shown(present)));
          return readFields(request.body);
        });
        return representTagged(200, shown(client));
      },
    }),
    clientRoute({
      method: 'DELETE',
      path: onePath,
      operationId: 'deleteClient',
      tag,
      summary: 'Delete a client; its tokens are refused within 5 s',
      scope: 'client:delete',
      params: IdParams,
      requestHeaders: ['If-Match'],
      replies: { 204: null },
      problems: ['last_client_writer', 'precondition_failed', 'too_many_requests'],
      async handle(request) {
        const removing = removeClient(writerOf(request), refOf(request), (present) =>
          requireMatchTag(request.header('If-Match'), tagOf(shown(present))),
        );
        await removing.catch((error: unknown) => {
          if (!(error instanceof Problem && error.code === 'client_not_found')) throw error;
        });
        return { status: 204 };
      },
    }),
    clientRoute({
      method: 'POST',
      path: `${onePath}/secrets`,
      operationId: 'createClientSecret',
      tag,
      summary: 'Make a new secret for a client that has at most what the one has that asks; it is shown this once',
      scope: 'client:write',
      params: IdParams,
      replies: { 201: NewSecret },
      replyHeaders: ['Cache-Control'],
      problems: ['client_not_found', 'exceeds_own_rights', 'too_many_requests'],
      async handle(request): Promise<Reply> {
        const rotated = await rotateSecret({ ...writerOf(request), encryption }, refOf(request));
        return { status: 201, body: rotated, headers: unstored };
      },
    }),
  ];

  function writerOf(request: ClientRequest<unknown, unknown, unknown>) {
    return { database, actor: actorOf(request), giver: request.principal };
  }
}

const refOf = ({ principal, params }: ClientRequest<{ readonly id: string }, unknown, unknown>) => ({
  id: params.id,
  tenantId: principal.tenantId,
});

const shown = (client: GrantedClient) => ({ ...shownClient(client), workspaces: client.workspaces });

const pairsOf = (roles: Readonly<Record<string, readonly string[]>>): [string, string][] =>
  Object.entries(roles).map(([name, scopes]) => [name, scopes.join(' ')]);

/** The fields of a body as the service takes them. */
function readFields({ scopes, roles, expiresAt, ...rest }: UpdateFields | CreateFields): ClientChange {
  return {
    ...rest,
    ...(scopes === undefined ? {} : { scopes: scopes.join(' ') }),
    ...(roles === undefined ? {} : { roles: pairsOf(roles) }),
    ...(expiresAt === undefined ? {} : { expiresAt: utc(expiresAt) }),
  };
}

/** In one form, so that times can be compared as texts. */
export const utc = (text: string | null): string | null =>
  text === null ? null : (parseTimestamp(text)?.toISOString() ?? null);
