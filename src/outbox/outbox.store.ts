import type { Knex } from 'knex';
import { queueJobs, type Job } from '../jobs/jobs.store.js';
import { type Connection, now } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idFromBytes, idToBytes, newId } from '../storage/ids.js';
import { isNotification, sealContent, type Channel, type Content } from './message.js';

/** The channels, each of which is also a kind of job: a message has such a job until it is sent or given up. */
export const channels: readonly Channel[] = ['SMS', 'EMAIL', 'WEBHOOK', 'EVENT'];

/** A message that this process may send until the lease of its job ends. */
export interface Claimed extends Job {
  readonly channel: Channel;
  /** Null of an event of a workspace. */
  readonly inquiryId: string | null;
  readonly content: Buffer;
  /** A later change of the inquiry has made new notifications in place of this one. */
  readonly isReplaced: boolean;
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
  readonly inquiry_id: Buffer | null;
  readonly channel: Channel;
  readonly content: Buffer;
  readonly listed: number;
}

/** Columns of a message that is not to be sent any more. Its content, which holds personal data, is deleted. */
export const ended = (state: 'delivered' | 'logged' | 'replaced'): Readonly<Record<string, Knex.Value>> => ({
  state,
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
  const made = messages.map((message) => ({ ...message, id: message.id ?? newId() }));
  const rows = made.map(({ id, tenantId, inquiryId, content }) => {
    return {
      id: idToBytes(id),
      tenant_id: idToBytes(tenantId),
      inquiry_id: inquiryId === null ? null : idToBytes(inquiryId),
      channel: content.channel,
      state: 'pending',
      listed: isNotification(content),
      content: sealContent(encryption, { id, tenantId }, content),
      created_at: time,
      updated_at: time,
    };
  });
  await connection('outbox').insert(rows);
  await queueJobs(
    connection,
    made.map(({ id, tenantId, content }) => ({ kind: content.channel, id, tenantId })),
  );
}

/** Reads the messages of jobs. A message that was deleted meanwhile is left out. */
export async function readMessages(connection: Connection, jobs: readonly Job[]): Promise<Claimed[]> {
  const rows = await connection('outbox')
    .select<Row[]>('id', 'inquiry_id', 'channel', 'content', 'listed')
    .whereIn(
      'id',
      jobs.map(({ id }) => idToBytes(id)),
    )
    .where('state', 'pending');
  const found = new Map(rows.map((row) => [idFromBytes(row.id), row]));
  return jobs.flatMap((job) => {
    const row = found.get(job.id);
    if (row === undefined) return [];
    const { channel, content } = row;
    const inquiryId = row.inquiry_id === null ? null : idFromBytes(row.inquiry_id);
    return [{ ...job, channel, inquiryId, content, isReplaced: isReplaced(row) }];
  });
}

/**
 * Whether the inquiry has made another notification in place of this one while a process was sending it, and that process ended
 * without a result. Then it is not sent again.
 */
export const isReplaced = ({ channel, listed }: Pick<Row, 'channel' | 'listed'>): boolean =>
  isNotification({ channel }) && listed === 0;

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
