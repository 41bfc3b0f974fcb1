import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Table from 'cli-table3';
import { migrate } from '../../../db/migrate.js';
import { projectRoot } from '../../../db/root.js';
import { messageOf, ServicesError } from '../../../db/services/errors.js';
import { searchPath } from '../../../db/services/lookup.js';
import { findMysql, type MysqlBinaries } from '../../../db/services/mysql.js';
import { fetchMysql } from '../../support/mysqlRelease.js';
import { startServices } from '../../../db/services/start.js';
import { createRandom } from '../../bench/soak/random.js';
import { Tally } from '../../bench/soak/tally.js';
import { Weather } from '../../bench/soak/weather.js';
import { buildWorld } from '../../bench/soak/world.js';
import { useServices } from '../../bench/bed.js';
import { openStore } from '../../support/factories.js';
import { fetchedServers } from '../../support/fetched.js';
import { startServer } from '../../support/process.js';
import { closeTestDatabase } from '../../support/scene.js';
import { startCluster } from './cluster.js';
import { clusterFaults } from './faults.js';
import { Told } from './load.js';
import { Messages } from './messages.js';
import { openNetwork } from './network.js';
import { fetchPackages, type ClusterPackages } from './packages.js';
import type { ClusterKind } from './states.js';
import { explained, tryFault, type Outcome } from './trial.js';

// `make faults-cluster`: two servers on a cluster of three nodes behind HAProxy, under load; what clients were told is
// held against each node. CLUSTER=mysql,mariadb ROUNDS=1 FAULTS=kill,rejoin,… SEED. On Linux, as root, as it needs
// networks and disks of its own; they exist in namespaces, and end with it.

const { env } = process;
const kinds = (env.CLUSTER ?? 'mysql,mariadb').split(',') as ClusterKind[];
const rounds = Number(env.ROUNDS ?? 1);
const wanted = env.FAULTS?.split(',');
const seed = Number(env.SEED ?? Date.now() % 2 ** 31);
const insideMark = 'VERDICT_CLUSTER_INSIDE';
const say = (text: string): void => void process.stderr.write(`${text}\n`);

/** What another process than the one that answered a change may lag behind, by contract.md. */
const graceMs = 1000;

const binariesOf = async (kind: ClusterKind): Promise<MysqlBinaries> => {
  if (kind === 'mysql') return fetchMysql('9.7', join(fetchedServers, 'mysql-9.7'), say);
  const found = await findMysql(searchPath(env.PATH));
  if (found?.flavour !== 'mariadb') throw new ServicesError('A Galera cluster needs MariaDB on this machine.');
  return found;
};

const packages = await fetchPackages(join(fetchedServers, 'cluster'), say).catch(fail);
for (const kind of kinds) await binariesOf(kind).catch(fail);
if (env[insideMark] === undefined) {
  const words = ['--net', '--mount', '--pid', '--fork', '--mount-proc', '--kill-child'];
  const child = spawn('unshare', [...words, process.execPath, import.meta.filename], {
    env: { ...env, [insideMark]: '1' },
    stdio: 'inherit',
  });
  // All that it has started ends with it. It heeds no gentler signal.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill('SIGKILL'));
  child.once('exit', (code) => (process.exitCode = code ?? 1));
} else {
  await openNetwork();
  const outcomes: Outcome[] = [];
  try {
    for (const kind of kinds) await runOn(kind, packages, outcomes);
  } finally {
    process.stdout.write(`${tableOf(outcomes)}\n`);
  }
  const isGood = ({ lost, twice, misrouted, findings }: Outcome): boolean =>
    lost + twice + misrouted + findings.length === 0;
  process.exit(outcomes.every(isGood) ? 0 : 1);
}

async function runOn(kind: ClusterKind, fetched: ClusterPackages, outcomes: Outcome[]): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), `verdict-cluster-${kind}-`));
  // The nodes' servers pass through it.
  chmodSync(dir, 0o711);
  const logs = join(projectRoot, '.test', 'cluster', kind);
  rmSync(logs, { recursive: true, force: true });
  say(`${kind}: starting three nodes; their logs are in ${logs}. Seed ${seed}.`);
  const cluster = await startCluster({ kind, binaries: await binariesOf(kind), packages: fetched, dir, logs });
  const { databaseUrl } = cluster.haproxy;
  await migrate(databaseUrl);
  const redis = await startServices({ dir: join(dir, 'redis'), databaseUrl, throwAway: true, say });
  useServices({ databaseUrl, redisUrl: redis.redisUrl });
  env.ENCRYPTION_KEY ??= randomBytes(32).toString('hex');
  const messages = await Messages.open();
  const settings = {
    LOG_LEVEL: 'warn',
    SMS_GATEWAY_URL: `${messages.gateway.origin}/send`,
    OUTBOUND_ALLOW: `127.0.0.1:${messages.gateway.port}`,
    OUTBOX_TIMEOUT_MS: '2000',
  };
  const servers = [await startServer(settings), await startServer(settings)];
  const world = await buildWorld(servers[0]!, graceMs);
  const store = openStore();
  await messages.prepare(store, world);
  await store.close();
  await closeTestDatabase();
  const [tally, weather, told] = [new Tally(), new Weather(), new Told()];
  weather.begin(explained)();
  const options = { servers, world, messages, tally, weather, told, random: createRandom(seed) };
  for (let round = 1; round <= rounds; round++)
    for (const fault of clusterFaults.filter(({ key }) => wanted?.includes(key) ?? true)) {
      say(`${kind}, round ${round}: ${fault.name} …`);
      const outcome = await tryFault(cluster, fault, options);
      say(JSON.stringify(outcome));
      outcomes.push(outcome);
    }
  for (const [index, server] of servers.entries()) {
    await server.stop();
    writeFileSync(join(logs, `server${index + 1}.log`), server.log());
  }
  await messages.gateway.close();
  await redis.stop();
  await cluster.end();
  rmSync(dir, { recursive: true, force: true });
}

function tableOf(all: readonly Outcome[]): string {
  const head = ['cluster', 'fault', 'back s', 'whole s', 'failed until then', 'failed after', 'told of'];
  const table = new Table({
    head: [...head, 'lost', 'twice', 'misrouted', 'resent', 'verdict'],
    style: { head: [], border: [] },
  });
  const lines = (counts: Readonly<Record<string, number>>): string =>
    Object.entries(counts)
      .map(([label, count]) => `${label} ${count}`)
      .join('\n');
  const seconds = (ms: number): string => (ms / 1000).toFixed(1);
  for (const { cluster, fault, backMs, wholeMs, failed, failedAfter, acknowledged, ...rest } of all)
    table.push([
      cluster,
      fault,
      seconds(backMs),
      seconds(wholeMs),
      lines(failed),
      lines(failedAfter),
      lines(acknowledged),
      rest.lost,
      rest.twice,
      rest.misrouted,
      rest.resent,
      rest.findings.length === 0 ? 'ok' : rest.findings.join('\n'),
    ]);
  return table.toString();
}

function fail(error: unknown): never {
  say(messageOf(error));
  process.exit(1);
}
