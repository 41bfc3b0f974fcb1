import { inquiriesBelow, reachedAt } from '../src/config/addresses.js';
import { encryptionKeysOf } from './encryptionKey.js';
import { freePort, isPortFree } from './services/ports.js';
import { messageOf, ServicesError } from './services/errors.js';

/** Environment variables, as text. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A variable's text; an empty one counts as not set. */
export function given(environment: Variables, name: string): string | undefined {
  const text = environment[name];
  return text === '' ? undefined : text;
}

/** Where the server is to listen. */
export interface Ports {
  readonly host: string;
  readonly port: number;
  readonly adminHost: string;
  readonly adminPort: number;
}

/** Reads `HOST`, `PORT`, `ADMIN_HOST` and `ADMIN_PORT`; port 0 means any free port. Throws `ServicesError` when one is not to be had. */
export async function choosePorts(environment: Variables): Promise<Ports> {
  const host = given(environment, 'HOST') ?? '127.0.0.1';
  const adminHost = given(environment, 'ADMIN_HOST') ?? '127.0.0.1';
  const port = portOf('PORT', given(environment, 'PORT') ?? '3000');
  const adminPort = portOf('ADMIN_PORT', given(environment, 'ADMIN_PORT') ?? '3001');
  const free = await isFree('', host, port);
  const adminFree = await isFree('ADMIN_', adminHost, adminPort);
  if (!free || !adminFree) {
    const taken = [...(free ? [] : [port]), ...(adminFree ? [] : [adminPort])];
    // Both, so that the command can be pasted: one that is left out would be the default, or what it was before, again.
    const others = `PORT=${free ? port : another(port)} ADMIN_PORT=${adminFree ? adminPort : another(adminPort)}`;
    throw new ServicesError(
      `${taken.map((each) => `Port ${each} is taken by another program.`).join(' ')} Choose others: ${others} make run`,
    );
  }
  return {
    host,
    port: port === 0 ? await freePort() : port,
    adminHost,
    adminPort: adminPort === 0 ? await freePort() : adminPort,
  };
}

function portOf(variable: string, text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new ServicesError(`${variable} must be a port, 0 to 65535.`);
  return port;
}

/** False: another program listens there. @param prefix of the variables that named host and port */
async function isFree(prefix: string, host: string, port: number): Promise<boolean> {
  try {
    return await isPortFree(port, host);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const faults: Readonly<Record<string, string>> = {
      EACCES: `${prefix}PORT=${port}: this user may not listen there. Choose one above 1023.`,
      EADDRNOTAVAIL: `${prefix}HOST=${host} is not an address of this machine.`,
      ENOTFOUND: `${prefix}HOST=${host} is a name without an address.`,
    };
    const fault = faults[String(code)] ?? `${prefix}HOST=${host} with ${prefix}PORT=${port}: ${messageOf(error)}`;
    throw new ServicesError(fault, { cause: error });
  }
}

const another = (port: number): number => (port < 60_000 ? port + 100 : port - 100);

/** Tokens and links name the issuer, so it does not change with the choice between these. */
const namedLocalhost: ReadonlySet<string> = new Set(['127.0.0.1', '0.0.0.0', '::']);

/** Where clients find the API, this machine's at least. */
export function publicAddress({ host, port }: Pick<Ports, 'host' | 'port'>): string {
  return reachedAt(namedLocalhost.has(host) ? 'localhost' : host, port);
}

/**
 * The variables of the server: those that the user set, and for the rest what `make run` knows.
 * Throws `ServicesError` where `ENCRYPTION_KEY` or one of `ENCRYPTION_KEYS_PREVIOUS` is not a key.
 */
export function serverVariables(
  dir: string,
  environment: Variables,
  known: { ports: Ports; databaseUrl: string; redisUrl: string | null },
): Record<string, string> {
  const { ports, databaseUrl, redisUrl } = known;
  const issuer = given(environment, 'ISSUER') ?? publicAddress(ports);
  const keys = encryptionKeysOf(dir, {
    present: given(environment, 'ENCRYPTION_KEY'),
    previous: given(environment, 'ENCRYPTION_KEYS_PREVIOUS'),
    ofFolder: given(environment, 'DATABASE_URL') === undefined,
  });
  return {
    HOST: ports.host,
    PORT: String(ports.port),
    ADMIN_HOST: ports.adminHost,
    ADMIN_PORT: String(ports.adminPort),
    DATABASE_URL: databaseUrl,
    ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
    ENCRYPTION_KEY: keys.present,
    ...(keys.previous.length === 0 ? {} : { ENCRYPTION_KEYS_PREVIOUS: keys.previous.join(',') }),
    ISSUER: issuer,
    INQUIRY_URL: given(environment, 'INQUIRY_URL') ?? inquiriesBelow(issuer),
    // Whoever tries it out on their own machine looks for the link in the log.
    LOG_MESSAGES: given(environment, 'LOG_MESSAGES') ?? 'true',
  };
}
