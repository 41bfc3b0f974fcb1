import type { Client } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { isRole, roleNames, type RoleName } from '../../oauth/roles.js';
import { scopes as knownScopes } from '../../oauth/scopes.js';
import { command, list, type Call, type Command, type CommandGroup } from '../command.js';
import { Refusal, UsageError, requireChange } from '../failures.js';
import {
  InvalidArgumentError,
  choice,
  date,
  id,
  many,
  own,
  parsed,
  parseId,
  parsePair,
  required,
  scopesOf,
  text,
} from '../params.js';
import { drawLimit, limited, limitOf } from '../remote/limit.js';
import { fieldsOf, record, type Columns } from '../tableOf.js';

const one = { id: id('<client>', "the client's id") };
const inTenant = { tenant: own(id('--tenant <id>', 'on the database: the tenant that it belongs to')) };
const expiresAt = date('--expires <date>', 'from then on it may do nothing');

const onlyOnce = 'The secret is shown this once; it cannot be read again.';

const fields: Columns<Client> = {
  tenant: 'tenantId',
  name: 'name',
  scopes: ({ scopes }) => scopes.join(' '),
  roles: ({ roles }) =>
    Object.entries(roles)
      .map(([role, its]) => `${role}="${its.join(' ')}"`)
      .join(', '),
  resources: ({ resources }) => resources.join(' '),
  workspaces: ({ workspaces }) => workspaces.join(' '),
  limit: ({ limit }) => drawLimit(limit),
  expires: 'expiresAt',
  created: 'createdAt',
};

/** One of the sets that have a name, or a part of the client's own scopes. */
function parseRole(text: string): RoleName | readonly [name: string, scopes: readonly string[]] {
  if (isRole(text)) return text;
  if (text.includes('=')) {
    const [name, scopes] = parsePair(text);
    return [name, scopesOf(scopes)];
  }
  throw new InvalidArgumentError(`It must be one of ${roleNames.join(', ')}, or NAME="scopes".`);
}

function rolesOf(
  pairs: readonly (readonly [name: string, scopes: readonly string[]])[],
): Record<string, readonly string[]> {
  const roles: Record<string, readonly string[]> = {};
  for (const [name, scopes] of pairs) {
    if (Object.hasOwn(roles, name)) throw new Refusal(`The role ${name} is given twice.`);
    roles[name] = scopes;
  }
  return roles;
}

const enabling = (name: string, disabled: boolean, about: string): Command =>
  command({
    name: `client ${name}`,
    about,
    examples: [`client ${name} 0190…`],
    where: 'tenant',
    args: one,
    options: inTenant,
    async run({ ask }, { id }) {
      const { disabledAt } = (await ask(operations.updateClient, { id, disabled })).body;
      return { id, disabledAt };
    },
    text: ({ id, disabledAt }) => record({ id, disabled: disabledAt }),
  });

/** By the state that was read: what is granted meanwhile is not lost. */
async function grant({ ask }: Call, clientId: string, change: (present: readonly string[]) => string[]): Promise<void> {
  const { body, headers } = await ask(operations.getClient, { id: clientId });
  const seen = { 'If-Match': headers.get('etag') ?? '*' };
  await ask(operations.updateClient, { id: clientId, workspaces: change(body.workspaces) }, seen);
}

const granting = (name: string, granted: boolean, about: string): Command =>
  command({
    name: `client ${name}`,
    about,
    examples: [`client ${name} --client 0190… --workspace 0190…`],
    where: 'tenant',
    options: {
      ...inTenant,
      clientId: required(id('--client <id>', 'the client')),
      workspaceId: required(id('--workspace <id>', 'the workspace')),
    },
    async run(call, { clientId, workspaceId }) {
      await grant(call, clientId, (present) => {
        const others = present.filter((each) => each !== workspaceId);
        if (!granted && others.length === present.length) {
          throw new Refusal(`The client is not granted workspace ${workspaceId}.`);
        }
        return granted ? [...others, workspaceId] : others;
      });
      return { clientId, workspaceId, granted };
    },
    text: ({ clientId, workspaceId }) => record({ client: clientId, workspace: workspaceId, granted }),
  });

export const clientCommands: CommandGroup = {
  groups: { client: 'services that call the API with tokens of the token endpoint' },
  commands: [
    command({
      name: 'client create',
      about: 'make a client and print its id and secret; by HTTP it has at most what the one has that asks',
      examples: [
        'client create --tenant 0190… --name shop --role caller --workspace 0190…',
        'client create --tenant 0190… --name app --scopes "environments:read environment:write" --role reader="environments:read"',
      ],
      where: 'tenant',
      options: {
        ...inTenant,
        name: required(text('--name <name>', 'what people call it; 1 to 255 characters')),
        scopes: parsed(
          '--scopes <scopes>',
          `what its tokens may allow, space separated: ${knownScopes.join(' ')}`,
          scopesOf,
        ),
        roles: many(
          '--role <role>',
          `in place of --scopes, one of ${roleNames.join(', ')}; or name=scopes: a named part of the scopes, which a token ` +
            'can be limited to; repeatable',
          parseRole,
        ),
        resources: many('--resource <uri>', 'another API that its tokens may be addressed to; repeatable', String),
        workspaces: many('--workspace <id>', 'a workspace that it may use; repeatable', parseId),
        expiresAt,
      },
      check: ({ scopes, roles = [] }) => {
        const named = roles.filter((role) => typeof role === 'string').length;
        if (named + (scopes === undefined ? 0 : 1) !== 1)
          throw new UsageError(`say what the client may do, in one way: --scopes, or --role ${roleNames.join('|')}.`);
      },
      async run({ session, ask }, { roles = [], workspaces, ...asked }) {
        const { body } = await ask(operations.createClient, {
          ...asked,
          role: roles.find((role) => typeof role === 'string'),
          roles: rolesOf(roles.filter((role) => typeof role !== 'string')),
          workspaces: [...new Set(workspaces)],
        });
        session.note(onlyOnce);
        return body;
      },
      text: (made) => fieldsOf({ id: 'id', secret: 'secret', ...fields }, made),
    }),
    list({
      name: 'client list',
      about: 'list the clients, oldest first, without their secrets; --json says scopes, roles and workspaces too',
      examples: ['client list', 'client list --tenant 0190… --json'],
      where: 'tenant',
      options: { tenant: own(id('--tenant <id>', 'on the database: of this tenant only; else of all')) },
      operation: operations.listClients,
      as: 'clients',
      columns: {
        name: 'name',
        id: 'id',
        tenant: 'tenantId',
        workspaces: ({ workspaces }) => workspaces.length,
        limit: ({ limit }) => drawLimit(limit),
        created: 'createdAt',
        expires: 'expiresAt',
        disabled: 'disabledAt',
      },
    }),
    command({
      name: 'client update',
      about: 'change what a client is called, may do, and how often; within 5 s',
      examples: ['client update 0190… --per-second 50 --burst 100', 'client update 0190… --no-limit'],
      where: 'tenant',
      args: one,
      options: {
        ...inTenant,
        ...limited,
        name: text('--name <name>', 'what people call it; 1 to 255 characters'),
        scopes: parsed('--scopes <scopes>', 'all that its tokens may allow from now on, space separated', scopesOf),
        role: choice('--role <role>', 'the same, by the name of a set of scopes', roleNames),
        expiresAt,
      },
      check({ scopes, role, ...rate }) {
        limitOf(rate);
        if (scopes !== undefined && role !== undefined) throw new UsageError('give --scopes, or --role.');
      },
      async run({ ask }, { id, name, scopes, role, expiresAt, ...rate }) {
        const change = { name, scopes, role, expiresAt, limit: limitOf(rate) };
        requireChange(change, 'say what changes, such as --per-second and --burst.');
        return (await ask(operations.updateClient, { id, ...change })).body;
      },
      text: (changed) => fieldsOf({ id: 'id', ...fields }, changed),
    }),
    granting('grant', true, 'let a client use a workspace of its tenant'),
    granting('revoke', false, 'take a workspace from a client, within 5 s'),
    enabling('disable', true, 'give the client no more tokens, and refuse those that it has within 5 s'),
    enabling('enable', false, 'let a client that was disabled have tokens again'),
    command({
      name: 'client delete',
      about: 'delete a client for good, with its secrets and grants; its tokens are refused within 5 s',
      examples: ['client delete 0190…'],
      where: 'tenant',
      args: one,
      options: inTenant,
      async run({ ask }, { id }) {
        await ask(operations.deleteClient, { id });
        return { id, deleted: true };
      },
      text: record,
    }),
    command({
      name: 'client rotate-secret',
      about: 'make a new secret; the one before keeps working for 24 hours, any older one stops at once',
      examples: ['client rotate-secret 0190…'],
      where: 'tenant',
      args: one,
      options: inTenant,
      async run({ session, ask }, { id }) {
        const { body } = await ask(operations.createClientSecret, { id });
        session.note(onlyOnce);
        return { id, ...body };
      },
      text: ({ id, secret, previousExpiresAt }) => record({ id, secret, 'the one before stops at': previousExpiresAt }),
    }),
  ],
};
