import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, changeEntry, type Writer } from '../audit/audit.store.js';
import { Problem } from '../errors.js';
import { requireUnprotected } from '../protections/guard.js';
import { inTransaction, type Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import type { EnvironmentRef } from '../storage/resourceTable.js';

/** The owner of a list of hosts: an environment, for executions, or else the workspace, for evaluations. */
export type HostsOwner = Omit<EnvironmentRef, 'environmentId'> & Partial<EnvironmentRef>;

const ownerRow = (connection: Connection, { workspaceId, environmentId }: HostsOwner): Knex.QueryBuilder =>
  environmentId === undefined
    ? connection('workspaces').where({ id: idToBytes(workspaceId) })
    : connection('environments').where({ id: idToBytes(environmentId), workspace_id: idToBytes(workspaceId) });

/** Hosts that function nodes may call. Throws Problem `environment_not_found`. */
export async function readHttpHosts(connection: Connection, owner: HostsOwner): Promise<string[]> {
  return (await readHosts(connection, owner)).hosts;
}

/** The same, with the revision of the configuration that they belong to. */
export async function readHosts(
  connection: Connection,
  owner: HostsOwner,
): Promise<{ readonly hosts: string[]; readonly revision: number }> {
  interface Row {
    readonly http_hosts: string | null;
    readonly config_revision: number | string;
  }
  const [row] = await ownerRow(connection, owner).select<Row[]>('http_hosts', 'config_revision');
  if (row === undefined) throw noEnvironment(owner);
  return { hosts: hostsOf(row.http_hosts), revision: Number(row.config_revision) };
}

/** A new list, and what refuses to replace the present one by throwing. */
export interface HostsChange {
  readonly hosts: readonly string[];
  readonly precondition?: (present: readonly string[]) => void;
}

/**
 * Replaces the list; returns the new revision of its owner's configuration. Throws as `readHttpHosts`, and
 * `approval_required`.
 */
export function writeHttpHosts({ database, actor }: Writer, owner: HostsOwner, change: HostsChange): Promise<number> {
  return inTransaction(database, async (transaction) => {
    const revision = await takeRevision(transaction, owner);
    const { workspaceId, environmentId } = owner;
    if (environmentId !== undefined) await requireUnprotected(transaction, { workspaceId, environmentId });
    await replaceHosts(transaction, actor, owner, change);
    return revision;
  });
}

/** Writes the list within a transaction that has taken the revision. */
export async function replaceHosts(
  transaction: Knex.Transaction,
  actor: Actor,
  owner: HostsOwner,
  { hosts, precondition }: HostsChange,
): Promise<void> {
  const before = await readHttpHosts(transaction, owner);
  precondition?.(before);
  await ownerRow(transaction, owner).update({ http_hosts: hosts.length === 0 ? null : JSON.stringify(hosts) });
  const { workspaceId, environmentId } = owner;
  const resource =
    environmentId === undefined ? { type: 'evaluation_hosts', id: workspaceId } : { type: 'hosts', id: environmentId };
  const states = { before: { hosts: before }, after: { hosts } };
  await appendAuditEntries(transaction, [changeEntry(actor, workspaceId, { resource, ...states })]);
}

/** The column's JSON text as a list. */
export const hostsOf = (text: string | null): string[] => (text === null ? [] : (JSON.parse(text) as string[]));

/**
 * Takes the next revision of an environment's (or the evaluations') configuration, by which caches tell old from new.
 * Locks the owner's row until the transaction ends, which serialises its writes.
 */
export async function takeRevision(transaction: Knex.Transaction, owner: HostsOwner): Promise<number> {
  const row = ownerRow(transaction, owner);
  const found = await row.clone().update({ config_revision: transaction.raw('config_revision + 1') });
  if (found === 0) throw noEnvironment(owner);
  return (await readHosts(transaction, owner)).revision;
}

const noEnvironment = ({ environmentId = '' }: HostsOwner): Problem =>
  new Problem('environment_not_found', `There is no environment ${environmentId} in this workspace.`);
