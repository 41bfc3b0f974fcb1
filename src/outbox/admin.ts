import type { Knex } from 'knex';
import type { AuditAction } from '../audit/actions.js';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, tenantEntry, type NewAuditEntry, type Writer } from '../audit/audit.store.js';
import { endJobs, queueJobs, standingOf, unlessWorkedOn } from '../jobs/jobs.store.js';
import { Fields, id, idOrNull, plain, time } from '../storage/columns.js';
import { byPrimaryKey, type Connection, deleteByPrimaryKey, inTransaction } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import type { Channel } from './message.js';
import { channels } from './outbox.store.js';

/** What operators do with the outbox. The contents of messages stay sealed: they name people. */

export const states = ['pending', 'delivered', 'dead', 'logged', 'replaced'] as const;
export type State = (typeof states)[number];

export interface MessageSummary {
  readonly id: string;
  readonly tenantId: string;
  /** Null of an event of a workspace. */
  readonly inquiryId: string | null;
  readonly channel: Channel;
  readonly state: State;
  readonly attempts: number;
  /** When it is tried next; of a message that is being sent, when that claim ends. Null unless pending. */
  readonly dueAt: string | null;
  /** Why the last attempt failed. */
  readonly error: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** `dueAt` follows from the message's job. */
const fields = new Fields<MessageSummary>({
  id: id(),
  tenantId: id('tenant_id'),
  inquiryId: idOrNull('inquiry_id'),
  channel: plain('channel'),
  state: plain('state'),
  attempts: plain('attempts'),
  dueAt: { names: [], read: () => null, write: () => ({}) },
  error: plain('error'),
  createdAt: time('created_at'),
  updatedAt: time('updated_at'),
});

/** Which messages; what is undefined does not matter. */
export interface Selection {
  readonly tenantId?: string | undefined;
  readonly inquiryId?: string | undefined;
  readonly state?: State | undefined;
  readonly ids?: readonly string[] | undefined;
  /** Only those that may be sent again or earlier: dead letters, and messages that wait to be due. */
  readonly retryable?: boolean | undefined;
  /** Only those that may be deleted: not sent messages whose state their inquiry still shows. */
  readonly droppable?: boolean | undefined;
}

function selected(connection: Connection, selection: Selection): Knex.QueryBuilder {
  const { tenantId, inquiryId, state, ids, retryable, droppable } = selection;
  const rows = connection('outbox');
  if (tenantId !== undefined) rows.where('tenant_id', idToBytes(tenantId));
  if (inquiryId !== undefined) rows.where('inquiry_id', idToBytes(inquiryId));
  if (state !== undefined) rows.where('state', state);
  if (retryable === true) {
    const job = { kind: 'outbox.channel', id: 'outbox.id' };
    rows.whereIn('state', ['dead', 'pending']).where(unlessWorkedOn(connection, job));
  }
  if (droppable === true) rows.whereRaw("(state IN ('pending', 'dead') OR listed = 0)");
  if (ids !== undefined) rows.whereIn('id', ids.map(idToBytes));
  return rows;
}

/** Newest first; `olderThan` is the id of the last one of the page before. */
export async function listMessages(
  connection: Connection,
  selection: Selection,
  { size, olderThan }: { readonly size: number; readonly olderThan: string | undefined },
): Promise<MessageSummary[]> {
  const page = selected(connection, selection).select(fields.names);
  const { tenantId, inquiryId, state } = selection;
  // Left to choose, MySQL reads everybody's messages back from the id, until it has enough of the tenant's.
  if (tenantId !== undefined && inquiryId === undefined && state === undefined) {
    page.from(connection.raw('outbox FORCE INDEX (outbox_tenant)'));
  }
  if (olderThan !== undefined) page.where('id', '<', idToBytes(olderThan));
  const messages = ((await page.orderBy('id', 'desc').limit(size)) as object[]).map(fields.map);
  const pending = messages.filter((message) => message.state === 'pending');
  const standing = await standingOf(
    connection,
    channels,
    pending.map((message) => message.id),
  );
  return messages.map((message) => {
    const job = standing.get(message.id);
    return job === undefined ? message : { ...message, attempts: job.attempts, dueAt: job.dueAt.toISOString() };
  });
}

export async function countMessages(connection: Connection, selection: Selection): Promise<number> {
  const [row] = await selected(connection, selection).count<{ total: number | string }[]>({ total: '*' });
  return Number(row?.total ?? 0);
}

interface Chosen {
  readonly id: Buffer;
  readonly tenant_id: Buffer;
  readonly channel: Channel;
}

const idsOf = (messages: readonly Chosen[]): Buffer[] => messages.map(({ id }) => id);

/** Rows of one statement: few enough that the dispatchers never wait long. */
const chunkSize = 500;

/** Makes messages due at once, under their own ids and with their attempts reset; returns how many. */
export function replayMessages(writer: Writer, selection: Selection, onDone: (rows: number) => void): Promise<number> {
  return inChunks(writer, { ...selection, retryable: true }, onDone, {
    action: 'outbox.retry',
    async work(transaction, messages) {
      const values = { state: 'pending', attempts: 0, updated_at: new Date() };
      await byPrimaryKey(transaction, 'outbox').whereIn('id', idsOf(messages)).update(values);
      await queueJobs(
        transaction,
        messages.map(({ id, tenant_id, channel }) => ({
          ...{ kind: channel, id: idFromBytes(id), tenantId: idFromBytes(tenant_id) },
        })),
      );
    },
  });
}

/** Deletes messages for good; returns how many. One that is on its way may still arrive. */
export function dropMessages(writer: Writer, selection: Selection, onDone: (rows: number) => void): Promise<number> {
  return inChunks(writer, selection, onDone, {
    action: 'outbox.drop',
    async work(transaction, messages) {
      await deleteByPrimaryKey(transaction, 'outbox', idsOf(messages));
      await endJobs(transaction, channels, idsOf(messages).map(idFromBytes));
    },
  });
}

/**
 * Works through the messages from the oldest on, each chunk in its own transaction; may be repeated after an
 * interruption.
 */
async function inChunks(
  { database, actor }: Writer,
  selection: Selection,
  onDone: (rows: number) => void,
  {
    action,
    work,
  }: {
    readonly action: AuditAction;
    readonly work: (transaction: Knex.Transaction, messages: readonly Chosen[]) => Promise<void>;
  },
): Promise<number> {
  let done = 0;
  for (let last = Buffer.alloc(16); ;) {
    const rows = await inTransaction(database, async (transaction) => {
      const found = (await selected(transaction, selection)
        .select('id', 'tenant_id', 'channel')
        .where('id', '>', last)
        .orderBy('id')
        .limit(chunkSize)
        .forUpdate()) as Chosen[];
      if (found.length === 0) return found;
      await work(transaction, found);
      await appendAuditEntries(transaction, entriesOf(actor, action, found));
      return found;
    });
    const end = rows.at(-1);
    if (end === undefined) return done;
    last = Buffer.from(end.id);
    done += rows.length;
    onDone(rows.length);
  }
}

/** One entry for each tenant, with the ids of its messages. */
function entriesOf(actor: Actor, action: AuditAction, rows: readonly Chosen[]): NewAuditEntry[] {
  const messages = new Map<string, string[]>();
  for (const row of rows) {
    const tenantId = idFromBytes(row.tenant_id);
    messages.set(tenantId, [...(messages.get(tenantId) ?? []), idFromBytes(row.id)]);
  }
  return Array.from(messages, ([tenantId, ids]) =>
    tenantEntry(actor, tenantId, {
      action,
      resource: { type: 'outbox', id: tenantId },
      before: null,
      after: { messages: ids },
    }),
  );
}
