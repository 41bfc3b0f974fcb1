import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { freePort, isPortFree } from './services/ports.js';
import { ServicesError } from './services/errors.js';
import { readJson, writePrivateJson } from './services/files.js';

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
  readonly adminPort: number;
}

/** Reads `HOST`, `PORT` and `ADMIN_PORT`; 0 means any free port. Throws `ServicesError` when one is taken. */
export async function choosePorts(environment: Variables): Promise<Ports> {
  const host = given(environment, 'HOST') ?? '127.0.0.1';
  return {
    host,
    port: await choosePort('PORT', given(environment, 'PORT') ?? '3000', host),
    adminPort: await choosePort(
      'ADMIN_PORT',
      given(environment, 'ADMIN_PORT') ?? '3001',
      given(environment, 'ADMIN_HOST') ?? '127.0.0.1',
    ),
  };
}

async function choosePort(variable: string, text: string, host: string): Promise<number> {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new ServicesError(`${variable} must be a port, 0 to 65535.`);
  if (port === 0) return freePort();
  if (await isPortFree(port, host)) return port;
  const other = port < 60_000 ? port + 100 : port - 100;
  throw new ServicesError(
    `Port ${port} is taken by another program. Choose another one: ${variable}=${other} make run`,
  );
}

/**
 * The variables of the server: those that the user set, and for the rest what `make run` knows. They are kept in
 * `env.json`, where the command line reads them too. The encryption key is made once and never replaced there, since
 * what it sealed could not be opened again.
 */
export function serverVariables(
  dir: string,
  environment: Variables,
  known: { ports: Ports; databaseUrl: string; redisUrl: string | null },
): Record<string, string> {
  const { ports, databaseUrl, redisUrl } = known;
  const path = join(dir, 'env.json');
  const kept = readJson(path);
  const keptKey =
    typeof kept === 'object' && kept !== null && 'ENCRYPTION_KEY' in kept ? kept.ENCRYPTION_KEY : undefined;
  const key =
    given(environment, 'ENCRYPTION_KEY') ?? (typeof keptKey === 'string' ? keptKey : randomBytes(32).toString('hex'));
  const variables = {
    HOST: ports.host,
    PORT: String(ports.port),
    ADMIN_PORT: String(ports.adminPort),
    DATABASE_URL: databaseUrl,
    ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
    ENCRYPTION_KEY: key,
    ISSUER: given(environment, 'ISSUER') ?? `http://localhost:${ports.port}`,
  };
  writePrivateJson(path, { ...variables, ENCRYPTION_KEY: typeof keptKey === 'string' ? keptKey : key });
  return variables;
}
