import type { Workspace } from '#openapi/types.gen.js';
import { operations } from '#openapi/operations.gen.js';
import { command, type CommandGroup } from '../command.js';
import { NotSignedIn, Refusal, UsageError } from '../failures.js';
import { text } from '../params.js';
import { printable } from '../printable.js';
import { urlIn, valueOf, type ConnectionOptions } from '../remote/connection.js';
import { readProfiles, writeProfiles, type Profile } from '../remote/profiles.js';
import { createService } from '../remote/service.js';
import type { EnvironmentVariables } from '../settings.js';
import { record } from '../tableOf.js';

const usualName = 'default';

/** The workspace that is named, or the only one that there is. */
function chosen(workspaces: readonly Workspace[], wanted: string | undefined): Workspace | undefined {
  if (wanted === undefined) return workspaces.length === 1 ? workspaces[0] : undefined;
  const found = workspaces.find(({ id }) => id === wanted);
  if (found === undefined) throw new Refusal(`the client may not use the workspace ${wanted}.`);
  return found;
}

/** The options come first, then the variables, then what the profile has: its secret may have been replaced. */
function meantToSignIn(
  { url, clientId }: ConnectionOptions,
  environment: EnvironmentVariables,
  name: string,
): { readonly url: string | undefined; readonly clientId: string | undefined } {
  const given = { url: url ?? urlIn(environment), clientId: clientId ?? valueOf(environment, 'VERDICT_CLIENT_ID') };
  const { profiles } = readProfiles(environment);
  // A client of one server is none of another's, so that nothing is taken for a part.
  if (given.url !== undefined || given.clientId !== undefined || !Object.hasOwn(profiles, name)) return given;
  return profiles[name] ?? given;
}

export const loginCommands: CommandGroup = {
  groups: {},
  commands: [
    command({
      name: 'login',
      about:
        'keep a server and a client in a profile, which the commands then use. The secret is read from standard input, or ' +
        'typed at the terminal, where it is not shown',
      examples: [
        'login --url https://verdict.example --client-id 0190…',
        'login --url https://verdict.example --client-id 0190… --workspace 0190… < secret.txt',
      ],
      async run({ session, connection }) {
        const { workspace: wanted, profile: name = usualName } = connection;
        const { url, clientId } = meantToSignIn(connection, session.environment, name);
        if (url === undefined || clientId === undefined)
          throw new UsageError('name the server and the client: --url, --client-id.');
        const clientSecret = await session.readSecret(`Secret of client ${printable(clientId)} at ${url}`);
        if (clientSecret === '') throw new Refusal('the secret is empty.');
        const service = createService({ url, clientId, clientSecret, source: 'as entered' });
        const workspace = chosen(await service.all(operations.listWorkspaces), wanted);
        const profile: Profile = {
          ...{ url, clientId, clientSecret },
          ...(workspace === undefined ? {} : { workspaceId: workspace.id }),
        };
        const { profiles } = readProfiles(session.environment);
        writeProfiles(session.environment, { current: name, profiles: { ...profiles, [name]: profile } });
        return { profile: name, url, clientId, workspaceId: workspace?.id ?? null };
      },
      text: ({ profile, url, clientId, workspaceId }) =>
        record({
          profile,
          server: url,
          client: clientId,
          workspace: workspaceId ?? 'none: name one with --workspace',
        }),
    }),
    command({
      name: 'logout',
      about: 'forget a profile, with its secret',
      examples: ['logout', 'logout --profile production'],
      where: 'here',
      options: { profile: text('--profile <name>', 'the profile; else the present one') },
      run({ session: { environment } }, { profile: wanted }) {
        const { current, profiles } = readProfiles(environment);
        const name = wanted ?? current;
        if (name === undefined) throw new NotSignedIn('nobody is signed in');
        if (!Object.hasOwn(profiles, name)) throw new NotSignedIn(`there is no profile ${JSON.stringify(name)}`);
        const left = Object.fromEntries(Object.entries(profiles).filter(([each]) => each !== name));
        const next = current === name ? Object.keys(left)[0] : current;
        writeProfiles(environment, { ...(next === undefined ? {} : { current: next }), profiles: left });
        return { profile: name, removed: true };
      },
      text: ({ profile }) => `profile ${profile} is removed`,
    }),
    command({
      name: 'whoami',
      about: 'show which server the commands work on, as which client, and what that may do',
      examples: ['whoami', 'whoami --profile production --json'],
      async run({ service }) {
        const { url, clientId, workspaceId = null, source } = service.connection;
        const { scopes } = await service.token();
        return { url, clientId, source, workspaceId, scopes, workspaces: await service.all(operations.listWorkspaces) };
      },
      text: ({ url, clientId, source, workspaceId, scopes, workspaces }) =>
        record({
          server: url,
          client: clientId,
          'signed in by': source,
          workspace: workspaceId,
          'may use': workspaces.map(({ id, name }) => `${id} (${name})`).join(', '),
          scopes: scopes.join(' '),
        }),
    }),
  ],
};
