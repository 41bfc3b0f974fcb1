import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Administered } from '../admin/administered.js';
import { createAdminApp } from '../admin/server.js';
import type { Config } from '../config/config.js';
import { listen } from '../http/server/server.js';
import { settingsOf, type PoolSettings } from '../admission/pool/settings.js';
import { ProcessGroup } from './processGroup.js';
import { poolVariables } from './messages.js';
import { administerAll } from './aggregate.js';

/** Server processes under a primary, with one admin port for all of them. */
interface Supervised {
  readonly port: number;
  readonly adminPort: number;
  readonly administered: Pick<Administered, 'readiness'>;
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
  // With PORT=0 the processes share the socket that the first of them bound. It is gone with the last of them; those that
  // come then ask for its port by number.
  let port = config.port;
  let settings = settingsOf(config);
  const environment = (): Record<string, string> => {
    if (group.serving.length === 0 && group.port > 0) ({ port } = group);
    const named = Object.entries(poolVariables) as [keyof PoolSettings, string][];
    return {
      PORT: String(port),
      ...Object.fromEntries(named.map(([name, variable]) => [variable, String(settings[name])])),
    };
  };
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
    port: group.port,
    adminPort: admin.port,
    administered,
    async stop() {
      accepting = false;
      const inOrder = await group.stop(config.shutdownTimeoutMs + graceMs);
      await admin.close(config.shutdownTimeoutMs / 10);
      return inOrder;
    },
  };
}
