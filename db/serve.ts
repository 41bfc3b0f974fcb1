import { reachedAt } from '../src/config/addresses.js';
import { demoKeyOf, keepDemo, keptDemo, presentDemo } from './demoFile.js';
import { choosePorts, given, publicAddress, serverVariables, type Ports, type Variables } from './environment.js';
import { keepVariables, removeVariables } from './environmentFile.js';
import { migrate } from './migrate.js';
import { seedDemo, type DemoAccess } from './seeds/demo.js';
import { startServer, waitUntilReady } from './server.js';
import { ServicesError } from './services/errors.js';
import type { ProcessMark } from '../src/cli/processMark.js';
import { startServices, type Services } from './services/start.js';
import { welcome } from './welcome.js';

interface ServeOptions {
  /** Keeps the services' data, `key.json`, `env.json` and `demo.json`; `.run/` in a checkout. */
  readonly dir: string;
  readonly environment: Variables;
  /** The compiled server. */
  readonly serverFile: string;
  readonly say: (line: string) => void;
  /** Aborted by Ctrl-C: the server drains, then the services end. */
  readonly stop: AbortSignal;
}

/** All of `make run`: services, schema, demo, server, one screen. Resolves after everything ended on `stop`. */
export async function serve(options: ServeOptions): Promise<void> {
  const { dir, environment, say } = options;
  const ports = await choosePorts(environment);
  const services = await startServices({
    dir,
    databaseUrl: given(environment, 'DATABASE_URL'),
    redisUrl: given(environment, 'REDIS_URL'),
    throwAway: false,
    say,
  });
  try {
    if (!options.stop.aborted) await serveOn(services, ports, options);
  } finally {
    removeVariables(dir);
    await services.stop();
  }
  say('Stopped. Nothing is left running.');
}

async function serveOn(services: Services, ports: Ports, options: ServeOptions): Promise<void> {
  const { dir, environment, say, stop } = options;
  // Before anything is kept in the folder: a database of a version that was never released is refused.
  const applied = await migrate(services.databaseUrl);
  if (applied.length > 0) say(`Migrated the database: ${applied.join(', ')}`);
  const variables = serverVariables(dir, environment, { ports, ...services });
  const first = keepVariables(dir, variables);
  if (first !== undefined) say(besideAnother(first));
  const demo = await demoOf(options, variables, first === undefined);
  if (stop.aborted) return;

  const server = startServer(options.serverFile, { ...environment, ...variables });
  const graceMs = drainMs(environment) + 5000;
  services.watch(server.mark, graceMs);
  const adminUrl = reachedAt(ports.adminHost, ports.adminPort);
  try {
    const ready = await waitUntilReady(server, adminUrl, stop);
    if (ready) say(welcome({ baseUrl: publicAddress(ports), adminUrl, demo }));
    const end = await Promise.race([server.ended, aborted(stop)]);
    if (end !== undefined) throw new ServicesError(`The server ended by itself (${end}); its last lines are above.`);
    say('\nStopping: the server answers what it has taken on, then the database ends …');
  } finally {
    await server.stop(graceMs);
  }
}

const besideAnother = ({ pid }: ProcessMark): string =>
  `The command line works on the run of process ${pid} in the same folder; for this one, set its DATABASE_URL and ENCRYPTION_KEY.`;

/** The demo's access, from the first run on an empty database or, since its secret is shown once, from a file. */
async function demoOf(
  { dir, environment }: ServeOptions,
  variables: Record<string, string>,
  isFirst: boolean,
): Promise<DemoAccess | undefined> {
  const key = demoKeyOf(given(environment, 'DATABASE_URL'));
  await seedDemo({
    databaseUrl: variables['DATABASE_URL'] ?? '',
    encryptionKey: variables['ENCRYPTION_KEY'] ?? '',
    inquiryUrl: variables['INQUIRY_URL'] ?? '',
    keep: (demo) => keepDemo(dir, key, demo),
  });
  // Beside env.json, of one run: commands take the address from there and the client from here.
  if (isFirst) presentDemo(dir, key);
  return keptDemo(dir, key);
}

/** How long the server may take to drain; as in its own configuration. */
function drainMs(environment: Variables): number {
  return Number(given(environment, 'SHUTDOWN_TIMEOUT_MS') ?? 10_000);
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}
