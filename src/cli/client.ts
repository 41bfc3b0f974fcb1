import type { Command } from 'commander';
import type { Client, UpdateClient } from '../access/clients.schema.js';
import { scopes as knownScopes } from '../oauth/scopes.js';
import type { Limit } from '../rates/limit.js';
import { collect, examples, parseCount, parseDate, parseId, parsePair, requiredId } from './arguments.js';
import { clientsFor } from './clients.js';
import { Refusal, UsageError } from './failures.js';
import { withServer } from './remote/connection.js';
import type { EitherOptions } from './remote/either.js';
import type { Session } from './session.js';
import { record, table } from './table.js';

const onlyOnce = 'The secret is shown this once; it cannot be read again.';

/** `verdict client …` */
export function registerClient(program: Command, session: Session): void {
  const client = program.command('client').description('services that call the API with tokens of the token endpoint');
  registerCreate(client, session);
  registerList(client, session);
  registerUpdate(client, session);
  registerGrants(client, session);
  for (const [name, disabled, description] of [
    ['disable', true, 'give the client no more tokens, and refuse those that it has within 5 s'],
    ['enable', false, 'let a client that was disabled have tokens again'],
  ] as const) {
    withTenant(client.command(name))
      .description(description)
      .argument('<client>', "the client's id", parseId)
      .addHelpText('after', examples(`client ${name} 0190…`))
      .action(async (id: string, options: EitherOptions) => {
        const { disabledAt } = await clientsFor(session, options).change(id, () => ({ disabled }));
        session.print({ id, disabledAt }, () => record({ id, disabled: disabledAt }));
      });
  }
  withTenant(client.command('delete'))
    .description('delete a client for good, with its secrets and grants; its tokens are refused within 5 s')
    .argument('<client>', "the client's id", parseId)
    .addHelpText('after', examples('client delete 0190…'))
    .action(async (id: string, options: EitherOptions) => {
      await clientsFor(session, options).remove(id);
      session.print({ id, deleted: true }, () => record({ id, deleted: true }));
    });
  withTenant(client.command('rotate-secret'))
    .description('make a new secret; the one before keeps working for 24 hours, any older one stops at once')
    .argument('<client>', "the client's id", parseId)
    .addHelpText('after', examples('client rotate-secret 0190…'))
    .action(async (id: string, options: EitherOptions) => {
      const rotated = await clientsFor(session, options).rotateSecret(id);
      session.note(onlyOnce);
      session.print({ id, ...rotated }, () =>
        record({ id, secret: rotated.secret, 'the one before stops at': rotated.previousExpiresAt }),
      );
    });
}

/** By HTTP as who is signed in, or on the database, where a tenant can be named. */
const withTenant = (command: Command): Command =>
  withServer(command).option('--tenant <id>', 'on the database: the tenant that it belongs to', parseId);

interface CreateOptions extends EitherOptions {
  readonly name: string;
  readonly scopes: string;
  readonly role?: readonly (readonly [string, string])[];
  readonly resource?: readonly string[];
  readonly workspace?: readonly string[];
  readonly expires?: Date;
}

function registerCreate(client: Command, session: Session): void {
  withTenant(client.command('create'))
    .description('make a client and print its id and secret; by HTTP it has at most what the one has that asks')
    .requiredOption('--name <name>', 'what people call it; 1 to 255 characters')
    .requiredOption('--scopes <scopes>', `what its tokens may allow, space separated: ${knownScopes.join(' ')}`)
    .option(
      '--role <name=scopes>',
      'a named part of the scopes, which a token can be limited to; repeatable',
      collect(parsePair),
    )
    .option('--resource <uri>', 'another API that its tokens may be addressed to; repeatable', collect(String))
    .option('--workspace <id>', 'a workspace that it may use; repeatable', collect(parseId))
    .option('--expires <date>', 'from then on it may do nothing', parseDate)
    .addHelpText(
      'after',
      examples(
        'client create --tenant 0190… --name ci --scopes "execution:write" --workspace 0190…',
        'client create --tenant 0190… --name app --scopes "environments:read environment:write" --role reader="environments:read"',
      ),
    )
    .action(async (options: CreateOptions) => {
      const made = await clientsFor(session, options).create({
        name: options.name,
        scopes: scopesOf(options.scopes),
        roles: options.role ?? [],
        resources: options.resource ?? [],
        workspaces: [...new Set(options.workspace)],
        expiresAt: options.expires?.toISOString() ?? null,
      });
      session.note(onlyOnce);
      session.print(made, () => draw(made, made.secret));
    });
}

const scopesOf = (text: string): string[] => text.split(' ').filter((scope) => scope !== '');

function draw(client: Client, secret?: string): string {
  const { id, tenantId, name, scopes, resources, workspaces, limit, expiresAt, createdAt } = client;
  return record({
    id,
    ...(secret === undefined ? {} : { secret }),
    tenant: tenantId,
    name,
    scopes: scopes.join(' '),
    roles: Object.entries(client.roles)
      .map(([role, its]) => `${role}="${its.join(' ')}"`)
      .join(', '),
    resources: resources.join(' '),
    workspaces: workspaces.join(' '),
    limit: drawLimit(limit),
    expires: expiresAt,
    created: createdAt,
  });
}

export const drawLimit = (limit: Limit | null): string | null =>
  limit && `${limit.perSecond} a second, ${limit.burst} at once`;

function registerList(client: Command, session: Session): void {
  withServer(client.command('list'))
    .description('list the clients, oldest first, without their secrets; --json says scopes, roles and workspaces too')
    .option('--tenant <id>', 'on the database: of this tenant only; else of all', parseId)
    .addHelpText('after', examples('client list', 'client list --tenant 0190… --json'))
    .action(async (options: EitherOptions) => {
      const clients = await clientsFor(session, options).list();
      session.print({ clients }, () =>
        table(
          ['name', 'id', 'tenant', 'workspaces', 'limit', 'created', 'disabled'],
          clients.map((each) => [
            ...[each.name, each.id, each.tenantId, each.workspaces.length],
            ...[drawLimit(each.limit), each.createdAt, each.disabledAt],
          ]),
        ),
      );
    });
}

interface UpdateOptions extends EitherOptions, LimitOptions {
  readonly name?: string;
  readonly scopes?: string;
  readonly expires?: Date;
}

export interface LimitOptions {
  readonly perSecond?: number;
  readonly burst?: number;
  /** False of --no-limit. */
  readonly limit: boolean;
}

const maxRate = 100_000;

export const withLimit = (command: Command): Command =>
  command
    .option('--per-second <n>', 'requests a second that are let through', parseCount(1, maxRate))
    .option('--burst <n>', 'requests at once, after as many were left out', parseCount(1, maxRate))
    .option('--no-limit', 'as many as they like');

/** @throws UsageError where only one of both numbers is there */
export function limitOf({ perSecond, burst, limit }: LimitOptions): Limit | null | undefined {
  if (!limit) return null;
  if (perSecond === undefined && burst === undefined) return undefined;
  if (perSecond === undefined || burst === undefined) throw new UsageError('a limit has --per-second and --burst.');
  return { perSecond, burst };
}

function registerUpdate(client: Command, session: Session): void {
  withLimit(withTenant(client.command('update')))
    .description('change what a client is called, may do, and how often; within 5 s')
    .argument('<client>', "the client's id", parseId)
    .option('--name <name>', 'what people call it; 1 to 255 characters')
    .option('--scopes <scopes>', 'all that its tokens may allow from now on, space separated')
    .option('--expires <date>', 'from then on it may do nothing', parseDate)
    .addHelpText('after', examples('client update 0190… --per-second 50 --burst 100', 'client update 0190… --no-limit'))
    .action(async (id: string, { name, scopes, expires, ...options }: UpdateOptions) => {
      const limit = limitOf(options);
      const change: UpdateClient = {
        ...(name === undefined ? {} : { name }),
        ...(scopes === undefined ? {} : { scopes: scopesOf(scopes) }),
        ...(expires === undefined ? {} : { expiresAt: expires.toISOString() }),
        ...(limit === undefined ? {} : { limit }),
      };
      if (Object.keys(change).length === 0) throw new UsageError('say what changes, such as --per-second and --burst.');
      const client = await clientsFor(session, options).change(id, () => change);
      session.print(client, () => draw(client));
    });
}

interface GrantOptions extends EitherOptions {
  readonly client: string;
  readonly workspace: string;
}

function registerGrants(client: Command, session: Session): void {
  const actions = [
    { name: 'grant', granted: true, description: 'let a client use a workspace of its tenant' },
    { name: 'revoke', granted: false, description: 'take a workspace from a client, within 5 s' },
  ];
  for (const { name, granted, description } of actions) {
    withTenant(client.command(name))
      .description(description)
      .addOption(requiredId('client', 'the client'))
      .addOption(requiredId('workspace', 'the workspace'))
      .addHelpText('after', examples(`client ${name} --client 0190… --workspace 0190…`))
      .action(async ({ client: id, workspace, ...options }: GrantOptions) => {
        await clientsFor(session, options).change(id, ({ workspaces }) => {
          const others = workspaces.filter((each) => each !== workspace);
          if (!granted && others.length === workspaces.length) {
            throw new Refusal(`The client is not granted workspace ${workspace}.`);
          }
          return { workspaces: granted ? [...others, workspace] : others };
        });
        session.print({ clientId: id, workspaceId: workspace, granted }, () =>
          record({ client: id, workspace, granted }),
        );
      });
  }
}
