import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { isReady, type Administered } from './admin/administered.js';
import { createAdminApp } from './admin/server.js';
import { after } from './clock/timers.js';
import { compose } from './compose.js';
import { ConfigError, readConfig, type Config } from './config/config.js';
import { exitWith, type Service } from './lifecycle.js';
import { listen, type Listening } from './http/server/server.js';
import { createLog } from './log.js';
import { runChildAgent } from './supervise/childAgent.js';
import type { Report } from './supervise/messages.js';
import { supervise } from './supervise/primary.js';
import { openTracing } from './tracing/tracing.js';

/** Serves alone, or as one of several processes under a primary, which then has the admin port. */
async function serve(config: Config, log: Logger): Promise<void> {
  const service = compose(config, log, await openTracing(config, log));
  if (cluster.isWorker) runChildAgent(service.administered, () => void exitWith(0, log, service.endThreads));
  await service.ready();
  const api = await listen(service.app, {
    host: config.host,
    port: config.port,
    log,
    maxConnections: config.maxConnections,
  });
  const admin = cluster.isWorker ? undefined : await listenForAdmin(service, config, log);
  service.start();
  // Ctrl-C reaches every process of the terminal; server processes leave it to the primary.
  if (cluster.isWorker) process.on('SIGINT', () => undefined);
  const stop = (): Promise<boolean> => drain(service, { api, admin }, config, log);
  stopOn(cluster.isWorker ? ['SIGTERM'] : ['SIGTERM', 'SIGINT'], log, { stop, endThreads: service.endThreads });
  await report(log, service.administered, {
    port: api.port,
    ...(admin === undefined ? {} : { adminPort: admin.port }),
  });
}

const listenForAdmin = ({ administered }: Service, config: Config, log: Logger): Promise<Listening> =>
  listen(createAdminApp(administered, config), { host: config.adminHost, port: config.adminPort, log });

/** Readiness fails, clients are told to leave, listeners close, the queue drains, records are written. */
async function drain(
  service: Service,
  { api, admin }: { readonly api: Listening; readonly admin: Listening | undefined },
  config: Config,
  log: Logger,
): Promise<boolean> {
  after(config.shutdownTimeoutMs, () => {
    log.error('the drain took too long; what was not answered was not acknowledged');
    void exitWith(1, log, service.endThreads);
  });
  service.stopAccepting();
  // A quarter of the time for the notice at most, half of it for slow clients; the rest for runs and records that are still
  // under way.
  const noticeMs = Math.min(config.shutdownNoticeMs, config.shutdownTimeoutMs / 4);
  await api.close(config.shutdownTimeoutMs / 2, noticeMs);
  // After the API: until then it reports that the server drains.
  await admin?.close(config.shutdownTimeoutMs / 10);
  await service.close();
  return true;
}

/** Starts several server processes; this one only supervises them. */
async function serveWithGroup(config: Config, log: Logger): Promise<void> {
  const supervised = await supervise(config, log);
  stopOn(['SIGTERM', 'SIGINT'], log, { stop: () => supervised.stop(), endThreads: () => Promise.resolve(true) });
  await report(log, supervised.administered, supervised);
}

/** A MySQL that is away keeps no server from listening, nor from being started, but from being ready. */
async function report(
  log: Logger,
  administered: Pick<Administered, 'readiness'>,
  { port, adminPort }: { readonly port: number; readonly adminPort?: number },
): Promise<void> {
  const ports = { port, ...(adminPort === undefined ? {} : { adminPort }) };
  const ready = isReady(await administered.readiness());
  const message = ready ? 'ready' : 'listening, and not ready: GET /readyz of the admin port says why';
  log.info({ ...ports, pid: process.pid }, message);
  process.send?.({ kind: 'ready', ...ports } satisfies Report);
}

/** Only once: a service manager may signal every process of the group, and the primary then signals them again. */
function stopOn(
  signals: readonly NodeJS.Signals[],
  log: Logger,
  { stop, endThreads }: { readonly stop: () => Promise<boolean> } & Pick<Service, 'endThreads'>,
): void {
  let stopping = false;
  const stopOnce = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'draining');
    const inOrder = await stop();
    log.info('stopped');
    await exitWith(inOrder ? 0 : 1, log, endThreads);
  };
  for (const signal of signals) process.on(signal, () => void stopOnce(signal));
}

try {
  // What function nodes see as local time, so that a run comes out the same wherever the server is.
  process.env['TZ'] = 'UTC';
  const config = readConfig(process.env);
  const log = createLog(config.logLevel);
  await (config.httpProcesses > 1 && cluster.isPrimary ? serveWithGroup : serve)(config, log);
} catch (error) {
  process.stderr.write(`${error instanceof ConfigError ? error.message : describe(error)}\n`);
  process.exitCode = 1;
  // Threads and timers of a half-started server would keep the process alive.
  process.exit();
}

function describe(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `${message}. Another program has that port; set PORT or ADMIN_PORT.`;
  return message;
}
