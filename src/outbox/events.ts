import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { enqueue } from './outbox.store.js';

/** The event of a notification's outcome. */
export interface NotificationEvent {
  readonly type: 'notification.delivered' | 'notification.failed';
  readonly tenantId: string;
  readonly inquiryId: string;
  readonly notification: {
    /** What the inquiry names it by, and what the gateway got as `Idempotency-Key` or `Message-ID`. */
    readonly id: string;
    readonly type: 'SMS' | 'EMAIL';
    readonly reason?: 'refused' | 'undeliverable';
  };
}

/** The body of an event (Standard Webhooks: type, timestamp, data). It holds no personal data, link or code. */
export const eventBody = (type: string, data: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ type, timestamp: new Date().toISOString(), data });

/**
 * Queues events for those tenants that have a callback, with their inquiries' external ids, in a transaction. Returns how
 * many, and the notifications whose inquiries another transaction holds: their events were not queued, since the foreign
 * key would wait for that transaction.
 */
export async function queueNotificationEvents(
  { connection, encryption }: { connection: Connection; encryption: Encryption },
  events: readonly NotificationEvent[],
): Promise<{ readonly queued: number; readonly held: ReadonlySet<string> }> {
  const held = new Set<string>();
  if (events.length === 0) return { queued: 0, held };
  const ids = [...new Set(events.map(({ inquiryId }) => inquiryId))].map(idToBytes);
  const rows = (await connection('inquiries as i')
    .join('callbacks as c', 'c.owner_id', 'i.tenant_id')
    .select('i.tenant_id', 'i.id', 'i.external_id')
    .whereIn('i.id', ids)) as Row[];
  const free = await lockFree(connection, rows);
  const externalIds = new Map(rows.map((row) => [idFromBytes(row.id), row.external_id]));
  const messages = events.flatMap(({ type, tenantId, inquiryId, notification }) => {
    const externalId = externalIds.get(inquiryId);
    if (externalId === undefined) return [];
    if (!free.has(inquiryId)) {
      held.add(notification.id);
      return [];
    }
    const body = eventBody(type, { inquiryId, externalId, notificationId: notification.id, notification });
    return [{ tenantId, inquiryId, content: { channel: 'WEBHOOK' as const, body } }];
  });
  await enqueue({ connection, encryption }, messages);
  return { queued: messages.length, held };
}

interface Row {
  readonly tenant_id: Buffer;
  readonly id: Buffer;
  readonly external_id: string | null;
}

/**
 * Locks those inquiries that are not locked, and returns their ids. By the primary key, like every statement that locks
 * them; exclusively, because MySQL and MariaDB have different syntax for a shared lock with SKIP LOCKED.
 */
async function lockFree(connection: Connection, rows: readonly Row[]): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set();
  const conditions = rows.map(() => '(tenant_id = ? AND id = ?)').join(' OR ');
  const [free] = (await connection.raw(
    `SELECT id FROM inquiries FORCE INDEX (PRIMARY) WHERE ${conditions} FOR UPDATE SKIP LOCKED`,
    rows.flatMap(({ tenant_id, id }) => [tenant_id, id]),
  )) as [Pick<Row, 'id'>[]];
  return new Set(free.map(({ id }) => idFromBytes(id)));
}
