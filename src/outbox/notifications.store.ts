import { endJobs, standingOf } from '../jobs/jobs.store.js';
import { byPrimaryKey, type Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { channels, ended } from './outbox.store.js';

// The outbox row is the source of truth for a notification's state: whoever records an outcome writes one row, and
// needs no lock on the inquiry. The row stays as long as the inquiry lists it.

/** The states of a notification that integrators see. */
export const notificationStates = ['queued', 'sent', 'failed', 'logged', 'replaced'] as const;
export type NotificationState = (typeof notificationStates)[number];

const shownAs: ReadonlyMap<string, NotificationState> = new Map(
  Object.entries({
    pending: 'queued',
    delivered: 'sent',
    dead: 'failed',
    logged: 'logged',
    replaced: 'replaced',
  }),
);

/** The states by notification id; one that an operator dropped is missing. */
export async function findStates(
  connection: Connection,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, NotificationState>> {
  if (ids.length === 0) return new Map();
  const rows = (await connection('outbox')
    .select('id', 'state')
    .whereIn('id', ids.map(idToBytes))
    .where('tenant_id', idToBytes(tenantId))) as { id: Buffer; state: string }[];
  return new Map(rows.map(({ id, state }) => [idFromBytes(id), shownAs.get(state) ?? 'failed']));
}

/**
 * Marks notifications that their inquiry no longer lists, in the transaction that changes it. Those that wait are not
 * sent; one that is being sent now is let go, but not tried again. Fails with contention where an outcome of one is
 * being written.
 */
export async function replaceNotifications(
  connection: Connection,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const rows = (await byPrimaryKey(connection, 'outbox')
    .select('id', 'state')
    .whereIn('id', ids.map(idToBytes))
    .where('tenant_id', idToBytes(tenantId))
    .forUpdate()
    .noWait()) as { id: Buffer; state: string }[];
  const all = rows.map(({ id }) => id);
  if (all.length > 0) await byPrimaryKey(connection, 'outbox').whereIn('id', all).update({ listed: false });
  const pending = rows.filter(({ state }) => state === 'pending').map(({ id }) => idFromBytes(id));
  const standing = await standingOf(connection, channels, pending, true);
  const unsent = pending.filter((id) => standing.get(id)?.isClaimed !== true);
  if (unsent.length === 0) return;
  await byPrimaryKey(connection, 'outbox').whereIn('id', unsent.map(idToBytes)).update(ended('replaced'));
  await endJobs(connection, channels, unsent);
}
