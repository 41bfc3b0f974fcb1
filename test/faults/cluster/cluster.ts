import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MysqlBinaries } from '../../../db/services/mysql.js';
import { galera } from './galera.js';
import { groupReplication } from './groupReplication.js';
import { startHaproxy, type Haproxy } from './haproxy.js';
import { DatabaseNode } from './node.js';
import type { ClusterPackages } from './packages.js';
import type { ClusterKind, NodeState } from './states.js';
import { makeTemplate } from './template.js';

/** What the two kinds of clusters do differently. */
export interface Replication {
  /** The settings of a node, besides those that both kinds have. */
  settings(node: DatabaseNode, addresses: readonly string[]): Promise<readonly string[]>;
  /** Starts the nodes for the first time, as one cluster. */
  begin(nodes: readonly DatabaseNode[]): Promise<void>;
  /** Has another node written to, as before a machine is serviced. */
  switchOver(from: DatabaseNode, to: DatabaseNode, haproxy: Haproxy): Promise<void>;
  /** What puts an end to the first, where anything does. */
  afterSwitchOver(from: DatabaseNode, haproxy: Haproxy): Promise<void>;
}

export interface Cluster {
  readonly kind: ClusterKind;
  readonly nodes: readonly DatabaseNode[];
  readonly haproxy: Haproxy;
  readonly replication: Replication;
  /** Those that belong to it now. */
  readonly members: () => Promise<DatabaseNode[]>;
  /**
   * Waits until nothing has changed for a while: so many are members, each of them sees as many (one that was frozen is the
   * last to hear), and HAProxy leads to one that may be written to.
   */
  readonly settled: (count: number) => Promise<void>;
  /** Those that were written to within so many milliseconds from now. */
  readonly writtenTo: (duringMs: number) => Promise<DatabaseNode[]>;
  /** Where HAProxy leads. */
  readonly writer: () => Promise<DatabaseNode>;
  end(): Promise<void>;
}

const withinMs = 120_000;
const steadyMs = 4000;

/** Repeats until it is so. Throws after two minutes. */
export async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const end = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
    await sleep(100);
  }
}

export interface ClusterOptions {
  readonly kind: ClusterKind;
  readonly binaries: MysqlBinaries;
  readonly packages: ClusterPackages;
  readonly dir: string;
  /** Where the nodes' logs go, which outlive them. */
  readonly logs: string;
}

/** Three nodes and HAProxy before them. */
export async function startCluster({ kind, binaries, packages, dir, logs }: ClusterOptions): Promise<Cluster> {
  const replication = kind === 'mysql' ? groupReplication : galera(packages, binaries);
  mkdirSync(logs, { recursive: true });
  const template = await makeTemplate(binaries, join(dir, 'template'));
  const nodes: DatabaseNode[] = [1, 2, 3].map(
    (number) =>
      new DatabaseNode({
        kind,
        number,
        dir: join(dir, `n${number}`),
        log: join(logs, `n${number}.log`),
        server: binaries.server,
        environment: kind === 'mysql' ? {} : packages.environment,
        diskMb: 700,
        settings: (node) =>
          replication.settings(
            node,
            nodes.map(({ address }) => address),
          ),
      }),
  );
  for (const node of nodes) await node.prepare(template);
  await replication.begin(nodes);
  for (const node of nodes) node.attend();
  const haproxy = await startHaproxy(packages, { dir, logs }, nodes);
  const writer = async (): Promise<DatabaseNode> => {
    const lines = (await haproxy.tell('show stat')).split('\n').map((line) => line.split(','));
    // Columns of HAProxy's statistics: 1 the server's name, 4 its sessions, 17 its status.
    const up = lines.filter(
      ([proxy, name, , , , , , , , , , , , , , , , status]) =>
        proxy === 'verdict' && name?.startsWith('n') && status?.startsWith('UP'),
    );
    const [busiest] = up.sort((a, b) => Number(b[4]) - Number(a[4]));
    const found = nodes.find(({ name }) => name === busiest?.[1]);
    if (found === undefined) throw new Error('HAProxy leads nowhere');
    return found;
  };
  const states = (): Promise<{ node: DatabaseNode; state: NodeState | undefined }[]> =>
    Promise.all(nodes.map(async (node) => ({ node, state: await node.state() })));
  const settled = async (count: number): Promise<void> => {
    let since = performance.now();
    let written: DatabaseNode | undefined;
    await until(`${count} nodes are members, and one is written to`, async () => {
      const present = (await states()).filter(({ state }) => state?.isMember && state.members === count);
      const chosen = await writer().catch(() => undefined);
      const isWritable = present.some(({ node, state }) => node === chosen && state?.isWritable);
      if (present.length !== count || !isWritable || chosen !== written) since = performance.now();
      written = chosen;
      return performance.now() - since > steadyMs;
    });
  };
  await settled(nodes.length);
  return {
    kind,
    nodes,
    haproxy,
    replication,
    async members() {
      return (await states()).filter(({ state }) => state?.isMember).map(({ node }) => node);
    },
    settled,
    async writtenTo(duringMs) {
      const before = await states();
      await sleep(duringMs);
      const after = await states();
      return nodes.filter(
        (_, index) => (after[index]?.state?.written ?? 0) > (before[index]?.state?.written ?? Infinity),
      );
    },
    writer,
    async end() {
      haproxy.end();
      await Promise.all(nodes.map((node) => node.end()));
    },
  };
}
