import type { Knex } from 'knex';
import { inTransaction, type Connection } from '../storage/database.js';
import { inMs, now } from '../storage/databaseClock.js';
import type { Encryption } from '../storage/encryption.js';
import { idFromBytes, idToBytes, newId } from '../storage/ids.js';
import { isNotification, sealContent, type Channel, type Content } from './message.js';

/** Messages of one tenant on one channel: those of other queues never wait for them. */
export interface Queue {
  readonly tenantId: string;
  readonly channel: Channel;
}

/** A message that this process may send until its lease ends. */
export interface Claimed extends Queue {
  readonly id: string;
  /** Null of an event of a workspace. */
  readonly inquiryId: string | null;
  readonly content: Buffer;
  /** This one included. */
  readonly attempts: number;
  /** The fencing token: an outcome is written only while it is the row's. */
  readonly fence: number;
}

/** A message to be written. */
export interface NewMessage {
  /** A notification's id, by which its inquiry lists it; events get a new one. */
  readonly id?: string;
  readonly tenantId: string;
  /** Null of an event of a workspace. */
  readonly inquiryId: string | null;
  readonly content: Content;
}

interface Row {
  readonly id: Buffer;
  readonly tenant_id: Buffer;
  readonly inquiry_id: Buffer | null;
  readonly channel: Channel;
  readonly content: Buffer;
  readonly attempts: number;
  readonly fence: number;
  readonly listed: number;
}

const columns = ['id', 'tenant_id', 'inquiry_id', 'channel', 'content', 'attempts', 'fence', 'listed'];

/** SQL condition of a pending message: nobody is sending it, or the lease of its last claim has ended. */
export const isWaiting = `(claimed = 0 OR due_at <= ${now})`;

/** Columns of a message that is not to be sent any more. Its content, which holds personal data, is deleted. */
export const ended = (state: 'delivered' | 'logged' | 'replaced'): Readonly<Record<string, Knex.Value>> => ({
  state,
  due_at: null,
  error: null,
  content: Buffer.alloc(0),
  updated_at: new Date(),
});

/** Writes messages, due at once, in the transaction of what causes them. */
export async function enqueue(
  { connection, encryption }: { connection: Connection; encryption: Encryption },
  messages: readonly NewMessage[],
): Promise<void> {
  if (messages.length === 0) return;
  const time = connection.raw(now);
  const rows = messages.map(({ id = newId(), tenantId, inquiryId, content }) => {
    return {
      id: idToBytes(id),
      tenant_id: idToBytes(tenantId),
      inquiry_id: inquiryId === null ? null : idToBytes(inquiryId),
      channel: content.channel,
      state: 'pending',
      listed: isNotification(content),
      content: sealContent(encryption, { id, tenantId }, content),
      due_at: time,
      created_at: time,
      updated_at: time,
    };
  });
  await connection('outbox').insert(rows);
}

/** Queues with a due message, those that wait longest first. Reads one index entry for each queue. */
export async function listDueQueues(connection: Connection): Promise<Queue[]> {
  const rows = (await connection('outbox')
    .select('tenant_id', 'channel')
    .min({ first: 'due_at' })
    .groupBy('tenant_id', 'channel')
    .having(connection.raw(`first <= ${now}`))
    .orderBy('first')) as Pick<Row, 'tenant_id' | 'channel'>[];
  return rows.map((row) => ({ tenantId: idFromBytes(row.tenant_id), channel: row.channel }));
}

/**
 * Claims up to `limit` due messages of a queue for `leaseMs`, skipping those that others are claiming. A notification
 * that its inquiry replaced while a send that never reported was under way is not sent again.
 */
export function claim(
  database: Knex,
  queue: Queue,
  { limit, leaseMs }: { readonly limit: number; readonly leaseMs: number },
): Promise<Claimed[]> {
  return inTransaction(database, async (transaction) => {
    const rows = (await transaction('outbox')
      .select(columns)
      .where({ tenant_id: idToBytes(queue.tenantId), channel: queue.channel })
      .whereRaw(`due_at <= ${now}`)
      .orderBy('due_at')
      .limit(limit)
      .forUpdate()
      .skipLocked()) as Row[];
    const [replaced, wanted] = [rows.filter(isReplaced), rows.filter((row) => !isReplaced(row))];
    if (replaced.length > 0) await transaction('outbox').whereIn('id', idsOf(replaced)).update(ended('replaced'));
    if (wanted.length === 0) return [];
    await transaction('outbox')
      .whereIn('id', idsOf(wanted))
      .update({
        claimed: true,
        due_at: inMs(transaction, leaseMs),
        attempts: transaction.raw('attempts + 1'),
        fence: transaction.raw('fence + 1'),
      });
    return wanted.map((row) => ({ ...mapRow(row), attempts: row.attempts + 1, fence: row.fence + 1 }));
  });
}

const idsOf = (rows: readonly Row[]): Buffer[] => rows.map(({ id }) => id);

export const isReplaced = ({ channel, listed }: Pick<Row, 'channel' | 'listed'>): boolean =>
  isNotification({ channel }) && listed === 0;

const mapRow = (row: Row): Claimed => ({
  id: idFromBytes(row.id),
  tenantId: idFromBytes(row.tenant_id),
  inquiryId: row.inquiry_id === null ? null : idFromBytes(row.inquiry_id),
  channel: row.channel,
  content: row.content,
  attempts: row.attempts,
  fence: row.fence,
});

const purgeChunk = 1000;

/**
 * Deletes messages that were made before a time and need no sending any more, at most a thousand at once; but not those
 * that their inquiries name, whose states are shown.
 */
export function purgeEnded(connection: Connection, before: Date): Promise<number> {
  // An id begins with the milliseconds of its making (UUIDv7).
  const bound = Buffer.alloc(16);
  bound.writeUIntBE(Math.max(0, before.getTime()), 0, 6);
  return connection('outbox')
    .whereIn('state', ['delivered', 'logged', 'replaced'])
    .where('id', '<', bound)
    .where('listed', false)
    .limit(purgeChunk)
    .delete();
}
