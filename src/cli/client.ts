import type { Command } from 'commander';
import { listClients, type Client } from '../oauth/clients.store.js';
import {
  createClient,
  disableClient,
  grantWorkspace,
  revokeWorkspace,
  rotateSecret,
} from '../oauth/clients.service.js';
import { scopes as knownScopes } from '../oauth/scopes.js';
import { listGrants } from '../workspaces/grants.store.js';
import { collect, examples, parseId, parsePair, requiredId } from './arguments.js';
import type { Session } from './session.js';
import { record, table } from './table.js';

const onlyOnce = 'The secret is shown this once; it cannot be read again.';

/** `verdict client …` */
export function registerClient(program: Command, session: Session): void {
  const client = program.command('client').description('services that call the API with tokens of the token endpoint');
  registerCreate(client, session);
  registerList(client, session);
  registerGrants(client, session);
  client
    .command('disable')
    .description('give the client no more tokens, and refuse those that it has within 5 s; it cannot be undone')
    .argument('<client>', "the client's id", parseId)
    .addHelpText('after', examples('client disable 0190…'))
    .action(async (id: string) => {
      const { disabledAt } = await disableClient(session.stores(), id);
      session.print({ id, disabledAt }, () => record({ id, disabled: disabledAt }));
    });
  client
    .command('rotate-secret')
    .description('make a new secret; the one before keeps working for 24 hours, any older one stops at once')
    .argument('<client>', "the client's id", parseId)
    .addHelpText('after', examples('client rotate-secret 0190…'))
    .action(async (id: string) => {
      const rotated = await rotateSecret(session.stores(), id);
      session.note(onlyOnce);
      session.print({ id, ...rotated }, () =>
        record({ id, secret: rotated.secret, 'the one before stops at': rotated.previousExpiresAt }),
      );
    });
}

interface CreateOptions {
  readonly tenant: string;
  readonly name: string;
  readonly scopes: string;
  readonly role?: readonly (readonly [string, string])[];
  readonly resource?: readonly string[];
  readonly workspace?: readonly string[];
}

function registerCreate(client: Command, session: Session): void {
  client
    .command('create')
    .description('make a client and print its id and secret')
    .addOption(requiredId('tenant', 'the tenant that it belongs to'))
    .requiredOption('--name <name>', 'what people call it; 1 to 255 characters')
    .requiredOption('--scopes <scopes>', `what its tokens may allow, space separated: ${knownScopes.join(' ')}`)
    .option(
      '--role <name=scopes>',
      'a named part of the scopes, which a token can be limited to; repeatable',
      collect(parsePair),
    )
    .option('--resource <uri>', 'another API that its tokens may be addressed to; repeatable', collect(String))
    .option('--workspace <id>', 'a workspace that it may use; repeatable', collect(parseId))
    .addHelpText(
      'after',
      examples(
        'client create --tenant 0190… --name ci --scopes "execution:write" --workspace 0190…',
        'client create --tenant 0190… --name app --scopes "environments:read environment:write" --role reader="environments:read"',
      ),
    )
    .action(async (options: CreateOptions) => {
      const workspaces = [...new Set(options.workspace)];
      const { client: made, secret } = await createClient(session.stores(), {
        tenantId: options.tenant,
        name: options.name,
        scopes: options.scopes,
        roles: options.role ?? [],
        resources: options.resource ?? [],
        workspaces,
      });
      session.note(onlyOnce);
      printClient(session, made, secret, workspaces);
    });
}

function printClient(session: Session, client: Client, secret: string, workspaces: readonly string[]): void {
  const { id, tenantId, name, scopes, resources, createdAt } = client;
  const roles = Object.fromEntries(client.roles);
  session.print({ id, secret, tenantId, name, scopes, roles, resources, workspaces, createdAt }, () =>
    record({
      id,
      secret,
      tenant: tenantId,
      name,
      scopes: scopes.join(' '),
      roles: [...client.roles].map(([role, its]) => `${role}="${its.join(' ')}"`).join(', '),
      resources: resources.join(' '),
      workspaces: workspaces.join(' '),
      created: createdAt,
    }),
  );
}

function registerList(client: Command, session: Session): void {
  client
    .command('list')
    .description('list the clients, oldest first, without their secrets; --json says scopes, roles and workspaces too')
    .option('--tenant <id>', 'of this tenant only; else of all', parseId)
    .addHelpText('after', examples('client list', 'client list --tenant 0190… --json'))
    .action(async ({ tenant }: { tenant?: string }) => {
      const [found, granted] = await Promise.all([
        listClients(session.database(), tenant),
        listGrants(session.database(), tenant),
      ]);
      const clients = found.map(({ roles, ...its }) => ({
        ...its,
        roles: Object.fromEntries(roles),
        workspaces: granted.get(its.id) ?? [],
      }));
      session.print({ clients }, () =>
        table(
          ['name', 'id', 'tenant', 'workspaces', 'created', 'disabled'],
          clients.map((each) => [
            ...[each.name, each.id, each.tenantId, each.workspaces.length],
            ...[each.createdAt, each.disabledAt],
          ]),
        ),
      );
    });
}

function registerGrants(client: Command, session: Session): void {
  const actions = [
    { name: 'grant', change: grantWorkspace, granted: true, description: 'let a client use a workspace of its tenant' },
    {
      name: 'revoke',
      change: revokeWorkspace,
      granted: false,
      description: 'take a workspace from a client, within 5 s',
    },
  ];
  for (const { name, change, granted, description } of actions) {
    client
      .command(name)
      .description(description)
      .addOption(requiredId('client', 'the client'))
      .addOption(requiredId('workspace', 'the workspace'))
      .addHelpText('after', examples(`client ${name} --client 0190… --workspace 0190…`))
      .action(async (options: { client: string; workspace: string }) => {
        await change(session.stores(), options.client, options.workspace);
        session.print({ clientId: options.client, workspaceId: options.workspace, granted }, () =>
          record({ client: options.client, workspace: options.workspace, granted }),
        );
      });
  }
}
