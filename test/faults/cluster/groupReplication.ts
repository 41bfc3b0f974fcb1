import type { Replication } from './cluster.js';
import { until } from './cluster.js';
import type { DatabaseNode } from './node.js';

const groupPort = 33061;

/** Group Replication with one primary. The settings are those that deploy/scaling.md recommends. */
export const groupReplication: Replication = {
  settings: (node, addresses) =>
    Promise.resolve([
      // A node outside of its group must not be written to. The group lifts it at its primary.
      '--super-read-only=ON',
      '--gtid-mode=ON',
      '--enforce-gtid-consistency=ON',
      '--innodb-redo-log-capacity=64M',
      `--report-host=${node.address}`,
      '--plugin-load-add=group_replication.so',
      '--loose-group-replication-group-name=5f0c1d8e-6c54-4a55-9d0b-2d6a4c1f7e10',
      `--loose-group-replication-local-address=${node.address}:${groupPort}`,
      `--loose-group-replication-group-seeds=${addresses.map((address) => `${address}:${groupPort}`).join(',')}`,
      '--loose-group-replication-start-on-boot=ON',
      '--loose-group-replication-recovery-get-public-key=ON',
      '--loose-group-replication-consistency=BEFORE_ON_PRIMARY_FAILOVER',
      '--loose-group-replication-member-expel-timeout=0',
      '--loose-group-replication-unreachable-majority-timeout=5',
      '--loose-group-replication-autorejoin-tries=0',
      '--loose-group-replication-exit-state-action=ABORT_SERVER',
    ]),

  async begin(nodes) {
    const [first] = nodes;
    for (const node of nodes) await node.start(['--loose-group-replication-start-on-boot=OFF']);
    for (const node of nodes) {
      await until(`${node.name} answers`, () => answers(node));
      await node.query(async (connection) => {
        await connection.query(
          "CHANGE REPLICATION SOURCE TO SOURCE_USER='cluster', SOURCE_PASSWORD='cluster' FOR CHANNEL 'group_replication_recovery'",
        );
        if (node === first) await connection.query('SET GLOBAL group_replication_bootstrap_group=ON');
        await connection.query('START GROUP_REPLICATION');
        if (node === first) await connection.query('SET GLOBAL group_replication_bootstrap_group=OFF');
      });
    }
    for (const node of nodes) await until(`${node.name} is a member`, () => isWhole(node));
  },

  async switchOver(from, to) {
    const id = await to.query(async (connection) => {
      const [rows] = await connection.query('SELECT @@server_uuid AS id');
      return (rows as { readonly id: string }[])[0]!.id;
    });
    await from.query((connection) => connection.query('SELECT group_replication_set_as_primary(?)', [id]));
  },

  afterSwitchOver: () => Promise.resolve(),
};

const answers = (node: DatabaseNode): Promise<boolean> => node.state().then((state) => state !== undefined);

const isWhole = (node: DatabaseNode): Promise<boolean> =>
  node.state().then((state) => state?.isMember === true && state.members === 3);
