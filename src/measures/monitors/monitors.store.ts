import type { Knex } from 'knex';
import type { Actor } from '../../audit/actor.js';
import { appendAuditEntries } from '../../audit/audit.store.js';
import { queueEvents } from '../../events/events.store.js';
import { requireHeld, type Job } from '../../jobs/jobs.store.js';
import { Resource } from '../../resource/resource.js';
import { column, id, json, plain, time, timeOrNull } from '../../storage/columns.js';
import { inTransaction } from '../../storage/database.js';
import { idToBytes } from '../../storage/ids.js';
import type { EnvironmentRef } from '../../storage/resourceTable.js';
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

/** What the row of a new one has besides: by what it is found. */
export const columnsOf = ({ environmentId, decisionId }: CreateMonitor): Readonly<Record<string, Knex.Value>> => ({
  environment_id: idToBytes(environmentId),
  decision_id: idToBytes(decisionId),
});

/** Writes down that an environment's monitors are removed with it. Whoever looks at them finds them gone. */
export async function tellMonitorsRemoved(
  { database, actor }: { readonly database: Knex.Transaction; readonly actor: Actor },
  { workspaceId, environmentId }: EnvironmentRef,
): Promise<void> {
  const rows = monitors.rows(database, workspaceId).where('environment_id', idToBytes(environmentId)).orderBy('id');
  const removed = ((await rows) as object[]).map(monitors.map);
  await appendAuditEntries(
    database,
    removed.map((monitor) => monitors.entryOf(actor, workspaceId, monitor, null)),
  );
}

/** What was found when a monitor was looked at. */
export interface Finding {
  /** Null where there is not enough to tell: then the state stays. */
  readonly value: number | null;
  readonly holds: boolean;
}

/** Writes what was found, and in the same transaction the event where the state changes. @throws JobLost */
export function writeFinding(database: Knex, job: Job, monitor: Monitor, { value, holds }: Finding): Promise<void> {
  const { id, workspaceId, environmentId, decisionId, name, state } = monitor;
  const changes = value !== null && holds !== (state === 'TRIPPED');
  return inTransaction(database, async (transaction) => {
    const at = new Date();
    const written = await monitors.one(transaction, { workspaceId, id }).update({
      looked_at: at,
      ...(value === null ? {} : { value }),
      ...(changes ? { tripped: holds, changed_at: at } : {}),
    });
    await requireHeld(transaction, job);
    if (written === 0 || !changes) return;
    const kind = holds ? 'monitor.tripped' : 'monitor.cleared';
    await queueEvents(transaction, [{ workspaceId, kind, data: { monitorId: id, environmentId, decisionId, name } }]);
  });
}
