import type { Connection } from 'mysql2/promise';

/** Group Replication of MySQL with a single primary, or Galera of MariaDB. */
export type ClusterKind = 'mysql' | 'mariadb';

/** What a node says of itself. */
export interface NodeState {
  /** It belongs to the part of the cluster that has the majority, and has caught up. */
  readonly isMember: boolean;
  /** It may be written to. With Galera each member may, and HAProxy chooses one. */
  readonly isWritable: boolean;
  /** How many members it sees. */
  readonly members: number;
  /** How many transactions were begun at it, and not at another, since it started. */
  readonly written: number;
}

const group = `SELECT COUNT(*) AS known, SUM(member_state = 'ONLINE') AS members,
  SUM(member_id = @@server_uuid AND member_state = 'ONLINE') AS here,
  SUM(member_id = @@server_uuid AND member_role = 'PRIMARY') AS isPrimary, @@super_read_only AS isLocked,
  (SELECT SUM(count_transactions_local_proposed) FROM performance_schema.replication_group_member_stats
    WHERE member_id = @@server_uuid) AS written
  FROM performance_schema.replication_group_members`;

/** More than so many writes of others that wait to be applied, and a reader would miss some. */
const longestQueue = 10;

export async function stateOf(kind: ClusterKind, connection: Connection): Promise<NodeState> {
  if (kind === 'mysql') {
    const [[row]] = (await connection.query(group)) as unknown as [Record<string, unknown>[]];
    const { known, members = 0, here, isPrimary, isLocked, written = 0 } = numbers(row);
    const isMember = here === 1 && 2 * members > known!;
    return { isMember, isWritable: isMember && isPrimary === 1 && isLocked === 0, members, written };
  }
  const [rows] = (await connection.query("SHOW GLOBAL STATUS LIKE 'wsrep%'")) as unknown as [
    { readonly Variable_name: string; readonly Value: string }[],
  ];
  const status = new Map(rows.map(({ Variable_name: name, Value: value }) => [name, value]));
  const isMember =
    status.get('wsrep_ready') === 'ON' &&
    status.get('wsrep_cluster_status') === 'Primary' &&
    status.get('wsrep_local_state_comment') === 'Synced';
  const isWritable = isMember && Number(status.get('wsrep_local_recv_queue')) <= longestQueue;
  return {
    isMember,
    isWritable,
    members: Number(status.get('wsrep_cluster_size')),
    written: Number(status.get('wsrep_replicated')),
  };
}

const numbers = (row: Record<string, unknown> = {}): Record<string, number> =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)]));
