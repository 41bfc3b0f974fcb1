import type { Knex } from 'knex';
import { batches } from '../storage/batches.js';
import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes, newId } from '../storage/ids.js';
import type { EventKind, NewEvent } from './kinds.js';

/** Most events of one transaction: an import may save 20,000 versions, and its workspace gets the events of the first. */
const maxAtOnce = 1000;

/** Queues events, in the transaction of the write that they report, for the workspaces whose callbacks subscribe to them. */
export async function queueEvents(connection: Connection, events: readonly NewEvent[]): Promise<void> {
  if (events.length === 0) return;
  const kinds = await subscribedKinds(connection, [...new Set(events.map(({ workspaceId }) => workspaceId))]);
  const wanted = events.filter(({ workspaceId, kind }) => kinds.get(workspaceId)?.includes(kind) === true);
  const now = new Date();
  const rows = wanted.slice(0, maxAtOnce).map(({ workspaceId, kind, data }) => ({
    id: idToBytes(newId()),
    workspace_id: idToBytes(workspaceId),
    kind,
    data: JSON.stringify({ workspaceId, ...data }),
    created_at: now,
  }));
  for (const batch of batches(rows, ({ data }) => data)) await connection('events').insert(batch);
}

async function subscribedKinds(
  connection: Connection,
  workspaceIds: readonly string[],
): Promise<Map<string, readonly string[]>> {
  const rows = (await connection('callbacks')
    .select('owner_id', 'kinds')
    .whereIn('owner_id', workspaceIds.map(idToBytes))) as { owner_id: Buffer; kinds: string }[];
  return new Map(rows.map((row) => [idFromBytes(row.owner_id), row.kinds.split(',')]));
}

/**
 * Takes the right to send the event of a failed execution: once a second at most, over all processes, and only where the
 * workspace subscribes to it.
 */
export async function mayReportFailure(connection: Connection, workspaceId: string): Promise<boolean> {
  const kind: EventKind = 'execution.failed';
  const now = connection.raw('UTC_TIMESTAMP(3)');
  const taken = await connection('callbacks')
    .where('owner_id', idToBytes(workspaceId))
    .whereRaw('FIND_IN_SET(?, kinds) > 0', [kind])
    .whereRaw('(failure_at IS NULL OR failure_at <= TIMESTAMPADD(SECOND, -1, UTC_TIMESTAMP(3)))')
    .update({ failure_at: now });
  return taken === 1;
}

/** An event that waits for the outbox. */
interface WaitingEvent {
  readonly id: string;
  readonly workspaceId: string;
  /** Null where the workspace hears of nothing any more. */
  readonly tenantId: string | null;
  readonly kind: EventKind;
  /** JSON. */
  readonly data: string;
  readonly createdAt: Date;
}

/** Whether any waits, which somebody else may be taking. */
export const hasEvents = async (connection: Connection): Promise<boolean> =>
  (await connection('events').orderBy('id').first('id')) !== undefined;

/** Takes the oldest events that nobody else is taking, out of the table. */
export async function takeEvents(transaction: Knex.Transaction, limit: number): Promise<WaitingEvent[]> {
  const rows = (await transaction('events')
    .select('id', 'workspace_id', 'kind', 'data', 'created_at')
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked()) as { id: Buffer; workspace_id: Buffer; kind: EventKind; data: string; created_at: Date }[];
  if (rows.length === 0) return [];
  await transaction('events')
    .whereIn(
      'id',
      rows.map(({ id }) => id),
    )
    .delete();
  const hearing = (await transaction('callbacks as c')
    .join('workspaces as w', 'w.id', 'c.owner_id')
    .select('w.id', 'w.tenant_id')
    .whereIn(
      'w.id',
      rows.map((row) => row.workspace_id),
    )) as { id: Buffer; tenant_id: Buffer }[];
  const tenants = new Map(hearing.map((row) => [idFromBytes(row.id), idFromBytes(row.tenant_id)]));
  return rows.map((row) => {
    const workspaceId = idFromBytes(row.workspace_id);
    return {
      id: idFromBytes(row.id),
      workspaceId,
      tenantId: tenants.get(workspaceId) ?? null,
      kind: row.kind,
      data: row.data,
      createdAt: row.created_at,
    };
  });
}
