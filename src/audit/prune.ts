import type { Knex } from 'knex';
import { inTransaction, type Connection } from '../storage/database.js';
import { idFromBytes, lowestIdAt } from '../storage/ids.js';
import type { Actor } from './actor.js';
import { appendAuditEntries, type NewAuditEntry, type Writer } from './audit.store.js';

/** Rows of one statement: few enough that writers of entries never wait long. */
const chunkSize = 500;

/** Entries that are never deleted: they tell records that were removed or erased by order from records that somebody made away with. */
const keptActions = ['execution.erase', 'execution.prune', 'execution.keep', 'audit_entry.prune', 'evidence.restart'];

const prunable = (connection: Connection, before: Date): Knex.QueryBuilder =>
  connection('audit_entries').where('id', '<', lowestIdAt(before)).whereNotIn('action', keptActions);

/** How many entries `pruneAuditEntries` would delete. */
export async function countAuditEntries(connection: Connection, before: Date): Promise<number> {
  const [row] = await prunable(connection, before).count<{ total: number | string }[]>({ total: '*' });
  return Number(row?.total ?? 0);
}

/** The owner of pruned rows: a workspace, a tenant, or neither. */
export interface Owner {
  readonly workspace_id: Buffer | null;
  readonly tenant_id: Buffer | null;
  /** Of the workspace, where only the environment's rows are deleted. */
  readonly environment_id?: Buffer;
}

/** Writes one audit entry of a prune for each owner of deleted rows. */
export interface PruneTrail {
  /** Appends an entry for every owner that has none yet, in the transaction that deletes the rows. */
  append(transaction: Knex.Transaction, rows: readonly Owner[]): Promise<void>;
  /** To be called after the commit: the owners of these rows have their entries now. */
  committed(rows: readonly Owner[]): void;
  /** Appends, for every owner that has an entry, one that takes it back: the executions were not deleted. */
  takeBack(transaction: Knex.Transaction): Promise<void>;
}

/** The rows that a prune deletes: those before a time; with `from` only those since then, with an environment only its own. */
interface PrunedTime {
  readonly before: Date;
  readonly from?: Date | undefined;
  readonly environmentId?: string | undefined;
}

/** @param resourceType of what is deleted; the action is `<resourceType>.prune` */
export function createPruneTrail(
  actor: Actor,
  resourceType: 'audit_entry' | 'execution',
  { before, from, environmentId }: PrunedTime,
): PruneTrail {
  const withEntry = new Map<string, Owner>();
  const entryOf = (
    action: `${typeof resourceType}.prune` | 'execution.keep',
    { workspace_id: workspace, tenant_id: tenant, environment_id: environment }: Owner,
  ): NewAuditEntry => {
    const of = environment === undefined ? environmentId : idFromBytes(environment);
    return {
      ...{ actor, action, before: null },
      workspaceId: workspace === null ? null : idFromBytes(workspace),
      ...(tenant === null ? {} : { tenantId: idFromBytes(tenant) }),
      resource: { type: resourceType, id: ownerOf({ workspace_id: workspace, tenant_id: tenant }) },
      after: { before, ...(from && { from }), ...(of !== undefined && { environmentId: of }) },
    };
  };
  return {
    append(transaction, rows) {
      const owners = new Map(rows.filter((row) => !withEntry.has(keyOf(row))).map((row) => [keyOf(row), row]));
      const entries = Array.from(owners.values(), (owner) => entryOf(`${resourceType}.prune`, owner));
      return appendAuditEntries(transaction, entries);
    },
    committed(rows) {
      for (const row of rows) withEntry.set(keyOf(row), row);
    },
    takeBack: (transaction) =>
      appendAuditEntries(
        transaction,
        Array.from(withEntry.values(), (owner) => entryOf('execution.keep', owner)),
      ),
  };
}

/** A workspace's or tenant's id; `*` for what belongs to none. */
const ownerOf = ({ workspace_id: workspace, tenant_id: tenant }: Owner): string => {
  const owner = workspace ?? tenant;
  return owner === null ? '*' : idFromBytes(owner);
};

const keyOf = (owner: Owner): string =>
  owner.environment_id === undefined ? ownerOf(owner) : `${ownerOf(owner)}/${idFromBytes(owner.environment_id)}`;

/**
 * Deletes the entries of all workspaces and tenants from before a time, but those that evidence needs, in small transactions, and appends an entry of
 * the prune for each owner. A time in the future counts as now.
 * @returns how many it deleted
 */
export async function pruneAuditEntries(
  { database, actor }: Writer,
  before: Date,
  onDeleted: (rows: number) => void,
): Promise<number> {
  // Otherwise it would delete its own entries.
  const until = new Date(Math.min(before.getTime(), Date.now()));
  const trail = createPruneTrail(actor, 'audit_entry', { before: until });
  let after: Buffer = Buffer.alloc(16);
  for (let deleted = 0; ;) {
    const rows = await inTransaction(database, async (transaction) => {
      const chunk = (await prunable(transaction, until)
        .select('id', 'workspace_id', 'tenant_id')
        .where('id', '>', after)
        .orderBy('id')
        .limit(chunkSize)) as (Owner & { readonly id: Buffer })[];
      const ids = chunk.map(({ id }) => id);
      if (ids.length > 0) await transaction('audit_entries').whereIn('id', ids).delete();
      await trail.append(transaction, chunk);
      return chunk;
    });
    trail.committed(rows);
    after = rows.at(-1)?.id ?? after;
    deleted += rows.length;
    onDeleted(rows.length);
    if (rows.length < chunkSize) return deleted;
  }
}
