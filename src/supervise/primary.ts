import cluster from 'node:cluster';
import { createServer, type AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createAdminApp } from '../admin/server.js';
import type { Config } from '../config/config.js';
import { listen } from '../http/server/server.js';
import { settingsOf, type PoolSettings } from '../pool/settings.js';
import { ProcessGroup } from './processGroup.js';
import { poolVariables } from './messages.js';
import { administerAll } from './aggregate.js';

/** Server processes under a primary, with one admin port for all of them. */
export interface Supervised {
  readonly port: number;
  readonly adminPort: number;
  /** Has every process drain; resolves with whether all that served ended in order. */
  stop(): Promise<boolean>;
}

/** A process ends itself when its drain takes too long; one that can't is killed this many milliseconds later. */
const graceMs = 500;

/**
 * Starts `httpProcesses` server processes that share a port, and keeps that many: one that dies is replaced while the
 * others serve. Rejects when they can't start at all.
 */
export async function supervise(config: Config, log: Logger): Promise<Supervised> {
  // Every process accepts connections from the shared listening socket. If the primary handed them over (the default),
  // those on their way to a process that is killed would stay open for ever, unanswered.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  let accepting = true;
  const port = config.port === 0 ? await freePort(config.host) : config.port;
  let settings = settingsOf(config);
  const environment = (): Record<string, string> => ({
    PORT: String(port),
    ...Object.fromEntries(
      Object.entries(poolVariables).map(([name, variable]) => [variable, String(settings[name as keyof PoolSettings])]),
    ),
  });
  const group = new ProcessGroup({
    size: config.httpProcesses,
    environment,
    readPools: () => administered.pool(),
    log,
  });
  const administered = administerAll({
    group,
    settings: { get: () => settings, set: (changed) => (settings = changed) },
    accepting: () => accepting,
  });
  const app = createAdminApp(administered, config);
  const admin = await listen(app, { host: config.adminHost, port: config.adminPort, log });
  await group.start().catch(async (error: unknown) => {
    await admin.close(0);
    throw error;
  });
  return {
    port,
    adminPort: admin.port,
    async stop() {
      accepting = false;
      const inOrder = await group.stop(config.shutdownTimeoutMs + graceMs);
      await admin.close(config.shutdownTimeoutMs / 10);
      return inOrder;
    },
  };
}

/** With PORT=0 the port is chosen here, since it must stay when processes are replaced. */
function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, host, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
