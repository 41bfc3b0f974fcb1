import type { Knex } from 'knex';
import { queueEvents } from '../../events/events.store.js';
import { inTransaction, type Connection } from '../../storage/database.js';
import { inMs, presently } from '../../storage/databaseClock.js';
import { idFromBytes, idToBytes } from '../../storage/ids.js';
import { rowsInIdOrder } from '../../storage/indexHints.js';
import { readPage, type Page, type PageRequest } from '../../storage/pages.js';
import type { ResourceRef } from '../../storage/resourceTable.js';
import { tenantOf, Turns } from '../../storage/turns.js';
import type { CreateMonitor, Monitor } from './monitors.schema.js';

interface Row {
  readonly id: Buffer;
  readonly workspace_id: Buffer;
  readonly request: string;
  readonly tripped: number;
  readonly value: number | null;
  readonly changed_at: Date | null;
  readonly looked_at: Date | null;
  readonly created_at: Date;
  readonly fence: number;
}

const columns = ['id', 'workspace_id', 'request', 'tripped', 'value', 'changed_at', 'looked_at', 'created_at', 'fence'];

const mapRow = (row: Row): Monitor => ({
  id: idFromBytes(row.id),
  workspaceId: idFromBytes(row.workspace_id),
  ...(JSON.parse(row.request) as CreateMonitor),
  state: row.tripped === 1 ? 'TRIPPED' : 'CLEAR',
  value: row.value,
  changedAt: row.changed_at?.toISOString() ?? null,
  lookedAt: row.looked_at?.toISOString() ?? null,
  createdAt: row.created_at.toISOString(),
});

export async function insertMonitor(
  transaction: Knex.Transaction,
  { workspaceId, id }: ResourceRef,
  request: CreateMonitor,
): Promise<void> {
  await transaction('monitors').insert({
    id: idToBytes(id),
    workspace_id: idToBytes(workspaceId),
    tenant_id: tenantOf(transaction, workspaceId),
    environment_id: idToBytes(request.environmentId),
    decision_id: idToBytes(request.decisionId),
    request: JSON.stringify(request),
    due_at: presently(transaction),
    created_at: new Date(),
  });
}

/** How many the workspace has. @param transaction holds the workspace until its end, so that nobody adds one meanwhile */
export async function countMonitors(transaction: Knex.Transaction, workspaceId: string): Promise<number> {
  const workspace = idToBytes(workspaceId);
  await transaction('workspaces').select('id').where('id', workspace).forUpdate();
  const rows = (await transaction('monitors').select('id').where('workspace_id', workspace)) as unknown[];
  return rows.length;
}

/** With `lock` the row is held until the transaction ends. */
export async function findMonitor(
  connection: Connection,
  ref: ResourceRef,
  lock = false,
): Promise<Monitor | undefined> {
  const found = one(connection, ref).select(columns);
  if (lock) found.forUpdate();
  const [row] = (await found) as Row[];
  return row && mapRow(row);
}

const one = (connection: Connection, { workspaceId, id }: ResourceRef): Knex.QueryBuilder =>
  connection('monitors').where({ workspace_id: idToBytes(workspaceId), id: idToBytes(id) });

export function pageOfMonitors(
  connection: Connection,
  workspaceId: string,
  request: PageRequest,
): Promise<Page<Monitor>> {
  return readPage(rowsInIdOrder(connection, 'monitors', workspaceId).select(columns), request, mapRow);
}

export async function deleteMonitor(transaction: Knex.Transaction, ref: ResourceRef): Promise<void> {
  await one(transaction, ref).delete();
}

/** A monitor that this process may look at until its lease ends. */
export interface ClaimedMonitor {
  readonly monitor: Monitor;
  /** What its finding must be written with. */
  readonly fence: number;
}

/** The turns of the tenants whose monitors a process looks at. */
export const createMonitorTurns = (): Turns =>
  new Turns(() => ({ table: 'monitors', primaryKey: ['id'], columns, counters: ['fence'] }));

/** Takes the monitor whose turn it is. Undefined where none is due. */
export async function claimMonitor(database: Knex, turns: Turns, leaseMs: number): Promise<ClaimedMonitor | undefined> {
  const row = await turns.claim<Row>(database, leaseMs);
  return row && { monitor: mapRow(row), fence: row.fence + 1 };
}

/** What was found when a monitor was looked at. */
export interface Finding {
  /** Null where there is not enough to tell: then the state stays. */
  readonly value: number | null;
  readonly holds: boolean;
}

/**
 * Writes what was found, and in the same transaction the event where the state changes; nothing where the lease is another's
 * by now.
 * @param againMs until it is looked at again
 */
export function writeFinding(
  database: Knex,
  { monitor, fence }: ClaimedMonitor,
  { value, holds }: Finding,
  againMs: number,
): Promise<void> {
  const { id, workspaceId, environmentId, decisionId, name, state } = monitor;
  const changes = value !== null && holds !== (state === 'TRIPPED');
  return inTransaction(database, async (transaction) => {
    const at = new Date();
    const written = await one(transaction, { workspaceId, id })
      .where('fence', fence)
      .update({
        due_at: inMs(transaction, againMs),
        looked_at: at,
        ...(value === null ? {} : { value }),
        ...(changes ? { tripped: holds, changed_at: at } : {}),
      });
    if (written === 0 || !changes) return;
    const kind = holds ? 'monitor.tripped' : 'monitor.cleared';
    await queueEvents(transaction, [{ workspaceId, kind, data: { monitorId: id, environmentId, decisionId, name } }]);
  });
}
