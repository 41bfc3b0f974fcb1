import type { Knex } from 'knex';
import { appendAuditEntries, changeEntry, type Writer } from '../audit/audit.store.js';
import { Problem } from '../errors.js';
import { inTransaction, type Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';

/** One environment of a workspace. */
export interface Place {
  readonly workspaceId: string;
  readonly environmentId: string;
}

/** Hosts that function nodes may call from this environment. Throws Problem `environment_not_found`. */
export async function readHttpHosts(connection: Connection, place: Place): Promise<string[]> {
  const [row] = (await connection('environments')
    .select('http_hosts')
    .where({ id: idToBytes(place.environmentId), workspace_id: idToBytes(place.workspaceId) })) as {
    http_hosts: string | null;
  }[];
  if (row === undefined) throw noEnvironment(place);
  return hostsOf(row.http_hosts);
}

/** A new list, and what refuses to replace the present one by throwing. */
export interface HostsChange {
  readonly hosts: readonly string[];
  readonly precondition?: (present: readonly string[]) => void;
}

/** Replaces the list; returns the new revision of the environment's configuration. Throws as `readHttpHosts`. */
export function writeHttpHosts(
  { database, actor }: Writer,
  place: Place,
  { hosts, precondition }: HostsChange,
): Promise<number> {
  return inTransaction(database, async (transaction) => {
    const held = await takeRevision(transaction, place);
    const before = await readHttpHosts(transaction, place);
    precondition?.(before);
    await transaction('environments')
      .where({ id: idToBytes(place.environmentId), workspace_id: idToBytes(place.workspaceId) })
      .update({ http_hosts: hosts.length === 0 ? null : JSON.stringify(hosts) });
    const resource = { type: 'hosts', id: place.environmentId };
    const states = { before: { hosts: before }, after: { hosts } };
    await appendAuditEntries(transaction, [changeEntry(actor, place.workspaceId, { resource, ...states })]);
    return held;
  });
}

/** The column's JSON text as a list. */
export const hostsOf = (text: string | null): string[] => (text === null ? [] : (JSON.parse(text) as string[]));

/**
 * Takes the next revision of an environment's configuration, by which caches tell old from new. Locks the environment
 * until the transaction ends, which serialises its writes.
 */
export async function takeRevision(transaction: Knex.Transaction, place: Place): Promise<number> {
  const environment = transaction('environments').where({
    id: idToBytes(place.environmentId),
    workspace_id: idToBytes(place.workspaceId),
  });
  const found = await environment.clone().update({ config_revision: transaction.raw('config_revision + 1') });
  if (found === 0) throw noEnvironment(place);
  const [row] = await environment.select<{ config_revision: number | string }[]>('config_revision');
  return Number(row?.config_revision);
}

const noEnvironment = ({ environmentId }: Place): Problem =>
  new Problem('environment_not_found', `There is no environment ${environmentId} in this workspace.`);
