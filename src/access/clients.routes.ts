import type { Knex } from 'knex';
import { clientRoute, type ClientRoute } from '../api/clientRoute.js';
import { IdParams } from '../api/fields.js';
import type { Violation } from '../errors.js';
import { parseTimestamp } from '../formats.js';
import { byContent, unstored } from '../resource/answers.js';
import { byTenantsId, ofTenant, refOfTenant } from '../resource/kinds.js';
import { roles as namedSets } from '../oauth/roles.js';
import type { Encryption } from '../storage/encryption.js';
import { clients } from '../oauth/clients.store.js';
import { grantsOf } from '../workspaces/grants.store.js';
import { requireClient, type GrantedClient } from './clientTransaction.js';
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
import { writerOf } from './giving.js';

interface Dependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
}

const path = '/core/v1/clients';
const shown = (client: GrantedClient) => ({ ...shownClient(client), workspaces: client.workspaces });

const client = ofTenant({
  ...byTenantsId(path),
  ...byContent(
    ({ secret, ...stored }: GrantedClient & { readonly secret?: string }) => ({
      ...shown(stored),
      ...(secret === undefined ? {} : { secret }),
    }),
    shown,
  ),
  name: 'Client',
  tag: 'Access',
  schema: Client,
  absent: 'client_not_found',
  problems: ['too_many_requests'],
});

/** What a tenant does with its clients: each gives at most what it has itself. */
export const clientsRoutes = ({ database, encryption }: Dependencies): ClientRoute[] => [
  client.list(
    { summary: "List the tenant's clients, the disabled ones too", scope: 'clients:read' },
    async ({ principal: { tenantId } }, wanted) => {
      const { data, page } = await clients.list(database, tenantId, wanted);
      const ids = data.map(({ id }) => id);
      const granted = await grantsOf(database, tenantId, ids);
      return { data: data.map((one) => ({ ...one, workspaces: granted.get(one.id) ?? [] })), page };
    },
  ),
  client.create(
    {
      summary: 'Create a client, which has at most what the one has that asks; its secret is shown this once',
      scope: 'client:write',
      body: CreateClient,
      findBodyViolations: (body) => [...findScopeViolations(body), ...findRoleViolations(body)],
      secret: NewClient,
      problems: ['exceeds_own_rights', 'reference_not_found'],
    },
    async (request) => {
      const { tenantId } = request.principal;
      const fields = { tenantId, scopes: [], workspaces: [], resources: [], roles: {}, ...readFields(request.body) };
      const { name } = request.body;
      const made = await createClient({ ...writerOf(database, request), encryption }, { ...fields, name });
      return { ...made.client, secret: made.secret };
    },
  ),
  client.get({ summary: 'Get a client', scope: 'clients:read' }, (ref) => requireClient(database, ref)),
  client.update(
    {
      summary: 'Change what a client may do, within 5 s; what is added is at most what the one has that asks',
      description:
        'A change that adds anything (a scope, a workspace, a resource, time, a higher limit, or to enable it) is refused ' +
        'unless all that the client then has is also had by the one that asks.',
      scope: 'client:write',
      body: UpdateClient,
      findBodyViolations: findRoleViolations,
      problems: ['exceeds_own_rights', 'last_client_writer', 'reference_not_found'],
    },
    ({ body, ref, match }, request) =>
      changeClient(writerOf(database, request), ref, (present) => {
        match(present);
        return readFields(body);
      }),
  ),
  client.remove(
    {
      summary: 'Delete a client; its tokens are refused within 5 s',
      scope: 'client:delete',
      problems: ['last_client_writer'],
    },
    ({ ref, match }, request) => removeClient(writerOf(database, request), ref, match),
  ),
  clientRoute({
    method: 'POST',
    path: `${path}/{id}/secrets`,
    operationId: 'createClientSecret',
    tag: 'Access',
    summary: 'Make a new secret for a client that has at most what the one has that asks; it is shown this once',
    scope: 'client:write',
    params: IdParams,
    replies: { 201: NewSecret },
    replyHeaders: ['Cache-Control'],
    problems: ['client_not_found', 'exceeds_own_rights', 'too_many_requests'],
    async handle(request) {
      const rotated = await rotateSecret({ ...writerOf(database, request), encryption }, refOfTenant(request));
      return { status: 201, body: rotated, headers: unstored };
    },
  }),
];

const findRoleViolations = ({ scopes, role }: Readonly<Record<string, unknown>>): readonly Violation[] =>
  scopes !== undefined && role !== undefined
    ? [{ in: 'body', pointer: '/role', message: 'must not stand beside scopes' }]
    : [];

const findScopeViolations = ({ scopes, role }: Readonly<Record<string, unknown>>): readonly Violation[] =>
  scopes === undefined && role === undefined
    ? [{ in: 'body', pointer: '/scopes', message: 'is required, or a role' }]
    : [];

/** The fields of a body as the service takes them: a role is the set of scopes that it names. */
const readFields = ({ expiresAt, role, ...rest }: UpdateFields | CreateFields): ClientChange => ({
  ...rest,
  ...(role === undefined ? {} : { scopes: namedSets[role].scopes }),
  ...(expiresAt === undefined ? {} : { expiresAt: utc(expiresAt) }),
});

/** In one form, so that times can be compared as texts. */
export const utc = (text: string | null): string | null =>
  text === null ? null : (parseTimestamp(text)?.toISOString() ?? null);
