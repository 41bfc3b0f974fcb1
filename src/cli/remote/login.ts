import type { Command } from 'commander';
import { examples } from '../arguments.js';
import { NotSignedIn, Refusal, UsageError } from '../failures.js';
import type { Session } from '../session.js';
import { record } from '../table.js';
import { findConnection, withConnection, type ConnectionOptions } from './connection.js';
import type { Workspace } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { readProfiles, writeProfiles, type Profile } from './profiles.js';
import { createService } from './service.js';

const usualName = 'default';

/** `verdict login`, `logout` and `whoami` */
export function registerLogin(program: Command, session: Session): void {
  withConnection(program.command('login'))
    .description(
      'keep a server and a client in a profile, which the commands then use. The secret is read from standard input, or ' +
        'typed at the terminal, where it is not shown',
    )
    .addHelpText(
      'after',
      examples(
        'login --url https://verdict.example --client-id 0190…',
        'login --url https://verdict.example --client-id 0190… --workspace 0190… < secret.txt',
      ),
    )
    .action((options: ConnectionOptions) => login(session, options));
  program
    .command('logout')
    .description('forget a profile, with its secret')
    .option('--profile <name>', 'the profile; else the present one')
    .addHelpText('after', examples('logout', 'logout --profile production'))
    .action(({ profile }: { profile?: string }) => logout(session, profile));
  withConnection(program.command('whoami'))
    .description('show which server the commands work on, as which client, and what that may do')
    .addHelpText('after', examples('whoami', 'whoami --profile production --json'))
    .action((options: ConnectionOptions) => whoami(session, options));
}

async function login(session: Session, options: ConnectionOptions): Promise<void> {
  const { url, clientId, profile: name = usualName } = options;
  if (url === undefined || clientId === undefined)
    throw new UsageError('name the server and the client: --url, --client-id.');
  const clientSecret = await session.readSecret('Client secret');
  if (clientSecret === '') throw new Refusal('the secret is empty.');
  const service = createService({ url, clientId, clientSecret, source: 'as entered' });
  const workspace = chosen(await service.all(operations.listWorkspaces), options.workspace);
  const profile: Profile = {
    ...{ url, clientId, clientSecret },
    ...(workspace === undefined ? {} : { workspaceId: workspace.id }),
  };
  const { profiles } = readProfiles(session.environment);
  writeProfiles(session.environment, { current: name, profiles: { ...profiles, [name]: profile } });
  const shown = { profile: name, url, clientId, workspaceId: workspace?.id ?? null };
  session.print(shown, () =>
    record({
      profile: name,
      server: url,
      client: clientId,
      workspace: workspace?.id ?? 'none: name one with --workspace',
    }),
  );
}

/** The workspace that is named, or the only one that there is. */
function chosen(workspaces: readonly Workspace[], wanted: string | undefined): Workspace | undefined {
  if (wanted === undefined) return workspaces.length === 1 ? workspaces[0] : undefined;
  const found = workspaces.find(({ id }) => id === wanted);
  if (found === undefined) throw new Refusal(`the client may not use the workspace ${wanted}.`);
  return found;
}

function logout(session: Session, wanted: string | undefined): void {
  const { current, profiles } = readProfiles(session.environment);
  const name = wanted ?? current;
  if (name === undefined) throw new NotSignedIn('nobody is signed in');
  if (!Object.hasOwn(profiles, name)) throw new NotSignedIn(`there is no profile ${JSON.stringify(name)}`);
  const left = Object.fromEntries(Object.entries(profiles).filter(([each]) => each !== name));
  const next = current === name ? Object.keys(left)[0] : current;
  writeProfiles(session.environment, { ...(next === undefined ? {} : { current: next }), profiles: left });
  session.print({ profile: name, removed: true }, () => `profile ${name} is removed`);
}

async function whoami(session: Session, options: ConnectionOptions): Promise<void> {
  const { url, clientId, workspaceId = null, source } = findConnection(options, session.environment);
  const service = session.service(options);
  const { scopes } = await service.token();
  const workspaces = await service.all(operations.listWorkspaces);
  session.print({ url, clientId, source, workspaceId, scopes, workspaces }, () =>
    record({
      server: url,
      client: clientId,
      'signed in by': source,
      workspace: workspaceId,
      'may use': workspaces.map(({ id, name }) => `${id} (${name})`).join(', '),
      scopes: scopes.join(' '),
    }),
  );
}
