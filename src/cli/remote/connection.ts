import { isUuid } from '../../storage/ids.js';
import { NotSignedIn, Refusal, UsageError } from '../failures.js';
import { runningDemo, type EnvironmentVariables } from '../settings.js';
import { readProfiles, type Profile, type Profiles } from './profiles.js';

/** The flags of every command that works by HTTP. The secret is none: arguments are seen by everybody on a machine. */
export interface ConnectionOptions {
  readonly url?: string;
  readonly clientId?: string;
  readonly profile?: string;
  readonly workspace?: string;
}

/** A connection's source where nobody is signed in. */
export const demoSource = 'the demo of make run';

/** A service and who calls it. */
export interface Connection extends Profile {
  /** For people: where this comes from. */
  readonly source: string;
}

/**
 * The service to work on. Flags come first, then the variables VERDICT_URL, VERDICT_CLIENT_ID, VERDICT_CLIENT_SECRET and
 * VERDICT_WORKSPACE, then the profile, then a running `make run` with its demo. A secret goes to the server alone that it
 * was given for: one from a profile is used with that profile's server and client only.
 * @throws NotSignedIn where nothing says which, or a part is missing
 */
export function findConnection(options: ConnectionOptions, environment: EnvironmentVariables): Connection {
  const workspaceId = options.workspace ?? workspaceIn(environment);
  const found = connect(options, environment);
  return workspaceId === undefined ? found : { ...found, workspaceId };
}

function connect(options: ConnectionOptions, environment: EnvironmentVariables): Connection {
  if (options.profile !== undefined && (options.url ?? options.clientId) !== undefined) {
    throw new UsageError('a profile says which server and client are meant; leave out --url and --client-id.');
  }
  if (options.profile !== undefined) return namedProfile(readProfiles(environment), options.profile);
  const given = {
    url: options.url ?? urlIn(environment),
    clientId: options.clientId ?? valueOf(environment, 'VERDICT_CLIENT_ID'),
    clientSecret: valueOf(environment, 'VERDICT_CLIENT_SECRET'),
  };
  const { url, clientId, clientSecret } = given;
  if (url !== undefined && clientId !== undefined && clientSecret !== undefined) {
    return { url, clientId, clientSecret, source: 'flags and environment' };
  }
  const profiles = readProfiles(environment);
  if (url === undefined && clientId === undefined && clientSecret === undefined) {
    if (profiles.current !== undefined) return namedProfile(profiles, profiles.current);
    const demo = runningDemo();
    if (demo !== undefined) return { ...demo, source: demoSource };
    throw new NotSignedIn('nobody is signed in');
  }
  const [name, profile] = matchingProfile(profiles, given) ?? [];
  if (name !== undefined && profile !== undefined) return { ...profile, source: `profile ${name}` };
  const missing = missingOf(given);
  throw new NotSignedIn(`${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not given`);
}

interface Given {
  readonly url: string | undefined;
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
}

/** The profile that says the rest; the current one first. None for a secret of the caller's own. */
function matchingProfile({ current, profiles }: Profiles, given: Given): [string, Profile] | undefined {
  if (given.clientSecret !== undefined) return undefined;
  return Object.entries(profiles)
    .sort(([one], [other]) => Number(other === current) - Number(one === current))
    .find(
      ([, { url, clientId }]) =>
        (given.url === undefined || given.url === url) && (given.clientId === undefined || given.clientId === clientId),
    );
}

const missingOf = ({ url, clientId, clientSecret }: Given): string[] => [
  ...(url === undefined ? ['VERDICT_URL (or --url)'] : []),
  ...(clientId === undefined ? ['VERDICT_CLIENT_ID (or --client-id)'] : []),
  ...(clientSecret === undefined ? ['VERDICT_CLIENT_SECRET'] : []),
];

function namedProfile({ profiles }: Profiles, name: string): Connection {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile === undefined) throw new NotSignedIn(`there is no profile ${JSON.stringify(name)}`);
  return { ...profile, source: `profile ${name}` };
}

/** The base of a service's addresses, without a slash at its end. @throws UsageError for what is none */
export function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${JSON.stringify(text)} is no address of a server; give one such as https://verdict.example`);
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new UsageError('the address of a server has no user, password, query or fragment.');
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** The server of VERDICT_URL. @throws UsageError for what is no address */
export function urlIn(environment: EnvironmentVariables): string | undefined {
  const text = valueOf(environment, 'VERDICT_URL');
  return text === undefined ? undefined : parseUrl(text);
}

function workspaceIn(environment: EnvironmentVariables): string | undefined {
  const text = valueOf(environment, 'VERDICT_WORKSPACE');
  if (text === undefined) return undefined;
  if (!isUuid(text)) throw new Refusal('VERDICT_WORKSPACE must be a UUID.');
  return text.toLowerCase();
}

/** A variable; undefined where it is empty, too. */
export const valueOf = (environment: EnvironmentVariables, name: string): string | undefined =>
  environment[name] === '' ? undefined : environment[name];
