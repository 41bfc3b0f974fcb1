import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { enqueue } from './outbox.store.js';

/** What became of a notification. */
export interface NotificationEvent {
  readonly type: 'notification.delivered' | 'notification.failed';
  readonly tenantId: string;
  readonly inquiryId: string;
  readonly notification: {
    /** The outbox id: what the gateway got as `Idempotency-Key` or `Message-ID`. */
    readonly id: string;
    readonly type: 'SMS' | 'EMAIL';
    readonly reason?: 'refused' | 'undeliverable';
  };
}

/** The body of an event (Standard Webhooks: type, timestamp, data). It names no person and holds no link or code. */
export const eventBody = (type: string, data: Readonly<Record<string, unknown>>): string =>
  JSON.stringify({ type, timestamp: new Date().toISOString(), data });

/** Queues events for those tenants that have a callback, with their inquiries' external ids; returns how many. */
export async function queueEvents(
  { connection, encryption }: { connection: Connection; encryption: Encryption },
  events: readonly NotificationEvent[],
): Promise<number> {
  if (events.length === 0) return 0;
  const ids = [...new Set(events.map(({ inquiryId }) => inquiryId))].map(idToBytes);
  const rows = (await connection('inquiries as i')
    .join('callbacks as c', 'c.tenant_id', 'i.tenant_id')
    .select('i.id', 'i.external_id')
    .whereIn('i.id', ids)) as { id: Buffer; external_id: string | null }[];
  const externalIds = new Map(rows.map((row) => [idFromBytes(row.id), row.external_id]));
  const messages = events.flatMap(({ type, tenantId, inquiryId, notification }) => {
    const externalId = externalIds.get(inquiryId);
    if (externalId === undefined) return [];
    const body = eventBody(type, { inquiryId, externalId, notification });
    return [{ tenantId, inquiryId, content: { channel: 'WEBHOOK' as const, body } }];
  });
  await enqueue({ connection, encryption }, messages);
  return messages.length;
}
