import type { Knex } from 'knex';
import { queueEvents } from '../../events/events.store.js';
import { Resource } from '../../resource/resource.js';
import { column, id, json, plain, time, timeOrNull } from '../../storage/columns.js';
import { inTransaction } from '../../storage/database.js';
import { inMs, presently } from '../../storage/databaseClock.js';
import { idToBytes } from '../../storage/ids.js';
import { tenantOf, Turns } from '../../storage/turns.js';
import type { CreateMonitor, Monitor } from './monitors.schema.js';

/** What was asked for, and what was found of it. */
export interface StoredMonitor extends Omit<Monitor, keyof CreateMonitor> {
  readonly request: CreateMonitor;
}

/** Audit entries show what was asked for. */
export const monitors = new Resource<StoredMonitor>({
  type: 'monitor',
  table: 'monitors',
  columns: {
    id: id(),
    workspaceId: id('workspace_id'),
    request: json('request'),
    state: column(
      'tripped',
      (tripped: number) => (tripped === 1 ? 'TRIPPED' : 'CLEAR'),
      (state) => state === 'TRIPPED',
    ),
    value: plain('value'),
    changedAt: timeOrNull('changed_at'),
    lookedAt: timeOrNull('looked_at'),
    createdAt: time('created_at'),
  },
  index: 'monitors_workspace',
  audited: ({ id, request: { name, environmentId, decisionId, measure, window, condition } }) => ({
    ...{ id, name, environmentId, decisionId, measure, window, condition },
  }),
});

/** As it is shown. */
export const monitorOf = ({ id, workspaceId, request, ...found }: StoredMonitor): Monitor => ({
  id,
  workspaceId,
  ...request,
  ...found,
});

/** One that nobody has looked at yet. */
export const newMonitor = (request: CreateMonitor) =>
  ({ request, state: 'CLEAR', value: null, changedAt: null, lookedAt: null }) as const;

/** What the row of a new one has besides: whose turn it is when, and by what it is found. */
export const columnsOf = (
  transaction: Knex.Transaction,
  workspaceId: string,
  { environmentId, decisionId }: CreateMonitor,
): Readonly<Record<string, Knex.Value>> => ({
  tenant_id: tenantOf(transaction, workspaceId),
  environment_id: idToBytes(environmentId),
  decision_id: idToBytes(decisionId),
  due_at: presently(transaction),
});

/** How many the workspace has. @param transaction holds the workspace until its end, so that nobody adds one meanwhile */
export async function countMonitors(transaction: Knex.Transaction, workspaceId: string): Promise<number> {
  const workspace = idToBytes(workspaceId);
  await transaction('workspaces').select('id').where('id', workspace).forUpdate();
  const rows = (await transaction('monitors').select('id').where('workspace_id', workspace)) as unknown[];
  return rows.length;
}

/** A monitor that this process may look at until its lease ends. */
export interface ClaimedMonitor {
  readonly monitor: Monitor;
  /** What its finding must be written with. */
  readonly fence: number;
}

/** The turns of the tenants whose monitors a process looks at. */
export const createMonitorTurns = (): Turns =>
  new Turns(() => ({
    table: 'monitors',
    primaryKey: ['id'],
    columns: [...monitors.names, 'fence'],
    counters: ['fence'],
  }));

/** Takes the monitor whose turn it is. Undefined where none is due. */
export async function claimMonitor(database: Knex, turns: Turns, leaseMs: number): Promise<ClaimedMonitor | undefined> {
  const row = await turns.claim<{ readonly fence: number }>(database, leaseMs);
  return row && { monitor: monitorOf(monitors.map(row)), fence: row.fence + 1 };
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
    const written = await monitors
      .one(transaction, { workspaceId, id })
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
