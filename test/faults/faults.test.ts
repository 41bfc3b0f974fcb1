import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { migrate } from '../../db/migrate.js';
import { openStore, type Store } from '../support/factories.js';
import { doubling } from '../support/models.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { buildScene } from '../support/scene.js';
import { longTimeouts } from '../support/settings.js';
import { startService, type Service } from '../support/service.js';
import { startLoad, type LoadOptions } from '../support/load.js';
import { faultSeconds } from './table.js';
import { tryFault, type Fault } from './trial.js';

/** A fresh server's heap finds its size under load: 200 MB that are no fault's doing. */
const warmMs = faultSeconds > 0 ? 8000 : 1000;
const beforeMs = faultSeconds > 0 ? 3000 : 600;
const duringMs = (shortMs: number): number => (faultSeconds > 0 ? faultSeconds * 1000 : shortMs);
const afterMs = 8000;

describe('faults under load', function () {
  this.timeout(120_000 + 3 * faultSeconds * 1000);
  let mysql: Service;
  let redis: Service;
  /** Under faults of Redis a server is not to fail, so it has the time that a slow machine needs. */
  let servers: Readonly<Record<'mysql' | 'redis', ServerProcess>>;
  let store: Store;
  let loadOf: (server: ServerProcess) => LoadOptions;

  before(async () => {
    [mysql, redis] = await Promise.all([startService('mysql'), startService('redis')]);
    await migrate(mysql.directUrl);
    const settings = { DATABASE_URL: mysql.url, REDIS_URL: redis.url, LOG_LEVEL: 'warn' };
    store = openStore({ ...settings, DATABASE_URL: mysql.directUrl });
    servers = { mysql: await startServer(settings), redis: await startServer({ ...settings, ...longTimeouts }) };
    const scene = await buildScene(servers.mysql, { store });
    const decisionId = await scene.decision('fault.json', doubling(2));
    const environmentId = await scene.environment();
    await scene.deploy(decisionId, environmentId, 1);
    loadOf = ({ baseUrl }) => ({
      url: `${baseUrl}/logic/${environmentId}/decisions/${decisionId}/executions`,
      headers: { Authorization: `Bearer ${scene.token}`, 'X-Workspace-Id': scene.workspaceId },
      loops: faultSeconds > 0 ? 16 : 8,
      // In `make test` the machine is shared, and half of its time is left to the others.
      pauseMs: faultSeconds > 0 ? 5 : 80,
    });
    for (const server of Object.values(servers)) {
      const warming = startLoad(loadOf(server));
      await sleep(warmMs);
      await warming.stop();
    }
  });
  after(async () => {
    await Promise.all(Object.values(servers).map((server) => server.stop()));
    await store.close();
    await Promise.all([mysql.end(), redis.end()]);
  });

  const memoryOf = async ({ adminUrl }: ServerProcess): Promise<number> => {
    const status = (await (await fetch(`${adminUrl}/pool`)).json()) as { memory: { rss: number } };
    return status.memory.rss;
  };

  const unavailable = ['dependency_unavailable', 'overloaded'];
  const faults: (Fault & { readonly of: 'mysql' | 'redis'; readonly shortMs: number })[] = [
    {
      name: 'MySQL killed (kill -9), started again',
      of: 'mysql',
      shortMs: 500,
      begin: () => mysql.kill(),
      end: () => mysql.restart(),
      allowed: unavailable,
    },
    {
      name: 'MySQL stopped (SIGSTOP)',
      of: 'mysql',
      shortMs: 3500,
      begin: () => mysql.freeze(),
      end: () => mysql.thaw(),
      allowed: unavailable,
    },
    {
      name: 'MySQL in a black hole',
      of: 'mysql',
      shortMs: 3500,
      begin: () => mysql.proxy.hole(),
      end: () => mysql.proxy.pass(),
      allowed: unavailable,
    },
    {
      name: 'connections to MySQL reset',
      of: 'mysql',
      shortMs: 500,
      begin: () => mysql.proxy.reset(),
      end: () => mysql.proxy.reset(),
      allowed: unavailable,
    },
    {
      name: 'MySQL 150 ms away',
      of: 'mysql',
      shortMs: 1500,
      begin: () => mysql.proxy.pass(75),
      end: () => mysql.proxy.pass(),
      allowed: [],
    },
    {
      name: 'Redis killed (kill -9), started again',
      of: 'redis',
      shortMs: 500,
      begin: () => redis.kill(),
      end: () => redis.restart(),
      allowed: [],
    },
    {
      name: 'Redis stopped (SIGSTOP)',
      of: 'redis',
      shortMs: 2000,
      begin: () => redis.freeze(),
      end: () => redis.thaw(),
      allowed: [],
    },
    {
      name: 'Redis in a black hole',
      of: 'redis',
      shortMs: 2000,
      begin: () => redis.proxy.hole(),
      end: () => redis.proxy.pass(),
      allowed: [],
    },
    {
      name: 'connections to Redis reset',
      of: 'redis',
      shortMs: 500,
      begin: () => redis.proxy.reset(),
      end: () => redis.proxy.reset(),
      allowed: [],
    },
    {
      name: 'Redis 400 ms away',
      of: 'redis',
      shortMs: 1500,
      begin: () => redis.proxy.pass(200),
      end: () => redis.proxy.pass(),
      allowed: [],
    },
  ];

  for (const fault of faults) {
    it(fault.name, async () => {
      const times = { beforeMs, duringMs: duringMs(fault.shortMs), afterMs };
      const server = servers[fault.of];
      const memory = (): Promise<number> => memoryOf(server);
      const load = loadOf(server);
      const outcome = await tryFault({ fault, load, database: store.database, memory, ...times });
      expect(outcome.violations, JSON.stringify(outcome)).to.deep.equal([]);
    });
  }
});
