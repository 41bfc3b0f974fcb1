import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { MysqlBinaries } from '../../../db/services/mysql.js';
import { until, type Replication } from './cluster.js';
import { serverUser, type DatabaseNode } from './node.js';
import type { ClusterPackages } from './packages.js';

const run = promisify(execFile);

/** Galera, written to at one node. The settings are those that deploy/scaling.md recommends. */
export const galera = (packages: ClusterPackages, { server }: MysqlBinaries): Replication => ({
  async settings(node, addresses) {
    const provider = [
      `gmcast.listen_addr=tcp://${node.address}:4567`,
      `ist.recv_addr=${node.address}`,
      `base_dir=${node.dataDir}`,
      'gcache.size=64M',
      'evs.suspect_timeout=PT3S',
      'evs.inactive_timeout=PT6S',
      'evs.install_timeout=PT6S',
    ];
    const words = [
      '--binlog-format=ROW',
      // Not each connection that was closed without a word.
      '--log-warnings=1',
      '--innodb-log-file-size=64M',
      '--wsrep-on=ON',
      `--wsrep-provider=${packages.galera}`,
      '--innodb-autoinc-lock-mode=2',
      '--wsrep-cluster-name=verdict',
      `--wsrep-cluster-address=gcomm://${addresses.join(',')}`,
      `--wsrep-node-name=${node.name}`,
      `--wsrep-node-address=${node.address}`,
      '--wsrep-sst-method=rsync',
      `--wsrep-provider-options=${provider.join(';')}`,
    ];
    return [...words, ...(await startPositionOf(server, node, words, packages.environment))];
  },

  async begin(nodes) {
    for (const [index, node] of nodes.entries()) {
      await node.start(index === 0 ? ['--wsrep-new-cluster'] : []);
      await until(`${node.name} is a member`, async () => (await node.state())?.isMember === true);
    }
  },

  async switchOver(from, _, haproxy) {
    await haproxy.tell(`disable server verdict/${from.name}`);
    await haproxy.tell(`shutdown sessions server verdict/${from.name}`);
  },

  async afterSwitchOver(from, haproxy) {
    await haproxy.tell(`enable server verdict/${from.name}`);
  },
});

/**
 * Where a node that was killed left off, so that it needs only what came since; Debian's service finds it in the same way
 * (galera_recovery). Nothing where it does not know: then it gets all data.
 */
async function startPositionOf(
  server: string,
  node: DatabaseNode,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<string[]> {
  if (!existsSync(join(node.dataDir, 'grastate.dat'))) return [];
  const recovering = [
    '--no-defaults',
    `--user=${serverUser}`,
    `--datadir=${node.dataDir}`,
    `--tmpdir=${join(node.dir, 'tmp')}`,
    `--socket=${join(node.dir, 'mysql.sock')}`,
    '--skip-networking',
    ...words,
    '--wsrep-recover',
  ];
  const { stderr } = await run(server, recovering, { env: { ...process.env, ...environment } }).catch(
    (error: unknown) => error as { readonly stderr: string },
  );
  const [, position] = /WSREP: Recovered position:?\s*(\S+)/.exec(stderr) ?? [];
  return position === undefined ? [] : [`--wsrep-start-position=${position}`];
}
