import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, changeEntry } from '../audit/audit.store.js';
import { notInWorkspace } from '../errors.js';
import { requireUnprotected } from '../protections/guard.js';
import { writeResource, type Writing } from '../resource/write.js';
import type { Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import type { EnvironmentRef } from '../storage/resourceTable.js';

/** The owner of a list of hosts: an environment, for executions, or else the workspace, for evaluations. */
export type HostsOwner = Omit<EnvironmentRef, 'environmentId'> & Partial<EnvironmentRef>;

const ownerRow = (connection: Connection, { workspaceId, environmentId }: HostsOwner): Knex.QueryBuilder =>
  environmentId === undefined
    ? connection('workspaces').where({ id: idToBytes(workspaceId) })
    : connection('environments').where({ id: idToBytes(environmentId), workspace_id: idToBytes(workspaceId) });

/** Hosts that function nodes may call, with the revision of the configuration that they belong to. */
export interface StoredHosts {
  readonly hosts: string[];
  readonly revision: number;
}

/** As they are shown, and in audit entries. */
export const audited = ({ hosts }: { readonly hosts: readonly string[] }): object => ({ hosts });

/** Rejects with `environment_not_found`. */
export async function readHosts(connection: Connection, owner: HostsOwner): Promise<StoredHosts> {
  interface Row {
    readonly http_hosts: string | null;
    readonly config_revision: number | string;
  }
  const [row] = await ownerRow(connection, owner).select<Row[]>('http_hosts', 'config_revision');
  if (row === undefined) throw notInWorkspace('environment', owner.environmentId ?? '');
  return { hosts: hostsOf(row.http_hosts), revision: Number(row.config_revision) };
}

/** Replaces the list. Rejects with `environment_not_found`, `precondition_failed`, `approval_required`. */
export function writeHosts(
  database: Knex,
  writing: Writing<HostsOwner, StoredHosts>,
  hosts: string[],
): Promise<{ readonly after: StoredHosts }> {
  const { workspaceId, environmentId } = writing.ref;
  const find = (transaction: Knex.Transaction): Promise<StoredHosts> => holdHosts(transaction, writing.ref);
  const written = { database, workspaceId, resource: resourceOf(writing.ref), find, audited };
  return writeResource(written, writing, async (transaction, { revision }) => {
    if (environmentId !== undefined) await requireUnprotected(transaction, { workspaceId, environmentId });
    await storeHosts(transaction, writing.ref, hosts);
    return { after: { hosts, revision } };
  });
}

/** Writes the list within a transaction that has taken the revision. */
export async function replaceHosts(
  transaction: Knex.Transaction,
  actor: Actor,
  owner: HostsOwner,
  hosts: readonly string[],
): Promise<void> {
  const before = audited(await readHosts(transaction, owner));
  await storeHosts(transaction, owner, hosts);
  const states = { before, after: audited({ hosts }) };
  const entry = changeEntry(actor, owner.workspaceId, { resource: resourceOf(owner), ...states });
  await appendAuditEntries(transaction, [entry]);
}

/** Writes down that an environment's hosts are removed with it, by a transaction that holds the environment. */
export async function tellHostsRemoved(
  transaction: Knex.Transaction,
  actor: Actor,
  ref: EnvironmentRef,
): Promise<void> {
  const before = await readHosts(transaction, ref);
  if (before.hosts.length === 0) return;
  const states = { before: audited(before), after: null };
  await appendAuditEntries(transaction, [
    changeEntry(actor, ref.workspaceId, { resource: resourceOf(ref), ...states }),
  ]);
}

const resourceOf = ({ workspaceId, environmentId }: HostsOwner) =>
  environmentId === undefined
    ? ({ type: 'evaluation_hosts', id: workspaceId } as const)
    : ({ type: 'hosts', id: environmentId } as const);

async function storeHosts(transaction: Knex.Transaction, owner: HostsOwner, hosts: readonly string[]): Promise<void> {
  await ownerRow(transaction, owner).update({ http_hosts: hosts.length === 0 ? null : JSON.stringify(hosts) });
}

/** The column's JSON text as a list. */
export const hostsOf = (text: string | null): string[] => (text === null ? [] : (JSON.parse(text) as string[]));

/**
 * Takes the next revision of an environment's (or the evaluations') configuration, by which caches tell old from new.
 * Locks the owner's row until the transaction ends, which serialises its writes. Rejects with `environment_not_found`.
 */
export async function takeRevision(transaction: Knex.Transaction, owner: HostsOwner): Promise<number> {
  return (await holdHosts(transaction, owner)).revision;
}

async function holdHosts(transaction: Knex.Transaction, owner: HostsOwner): Promise<StoredHosts> {
  await ownerRow(transaction, owner).update({ config_revision: transaction.raw('config_revision + 1') });
  return readHosts(transaction, owner);
}
