import type { Cluster } from './cluster.js';

/** Something that happens to a cluster. */
export interface ClusterFault {
  readonly key: string;
  readonly name: string;
  /** Gives what mends it, which gives how many nodes there are then. */
  begin(cluster: Cluster): Promise<() => Promise<number>>;
}

const all = 3;

/** In this order: the third begins with what the second leaves. */
export const clusterFaults: readonly ClusterFault[] = [
  {
    key: 'kill',
    name: 'kill -9 of the node that is written to',
    async begin(cluster) {
      await (await cluster.writer()).kill();
      return () => Promise.resolve(all - 1);
    },
  },
  {
    key: 'rejoin',
    name: 'it starts again and rejoins',
    async begin({ nodes, members }) {
      const present = await members();
      for (const node of nodes) if (!present.includes(node)) await node.start();
      return () => Promise.resolve(all);
    },
  },
  {
    key: 'freeze',
    name: 'SIGSTOP, then SIGCONT',
    async begin(cluster) {
      const node = await cluster.writer();
      node.freeze();
      return () => {
        node.thaw();
        return Promise.resolve(all);
      };
    },
  },
  {
    key: 'cut',
    name: 'cut off from the network, then connected',
    async begin(cluster) {
      const node = await cluster.writer();
      await node.cutOff();
      return async () => {
        await node.reconnect();
        return all;
      };
    },
  },
  {
    key: 'disk',
    name: 'its disk is full, then has room',
    async begin(cluster) {
      const node = await cluster.writer();
      await node.fillDisk();
      return () => {
        node.emptyDisk();
        return Promise.resolve(all);
      };
    },
  },
  {
    key: 'switch',
    name: 'planned switch-over',
    async begin({ writer, nodes, haproxy, replication }) {
      const from = await writer();
      const to = nodes.find((node) => node !== from)!;
      await replication.switchOver(from, to, haproxy);
      return async () => {
        await replication.afterSwitchOver(from, haproxy);
        return all;
      };
    },
  },
];
