import type { Knex } from 'knex';
import { inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { queueEvents, type NotificationEvent } from './events.js';
import { fromNow, microseconds, type Claimed } from './outbox.store.js';

/** What is to be written of a message that was claimed. */
export type Outcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'later'; readonly error: string; readonly delayMs: number }
  /** Ended by ourselves: due again at once, and the attempt does not count. */
  | { readonly kind: 'interrupted'; readonly error: string }
  /** `refused`: for good, by the receiver; `undeliverable`: given up after the last attempt. */
  | { readonly kind: 'dead'; readonly error: string; readonly reason: 'refused' | 'undeliverable' };

export interface FinishedMessage {
  readonly message: Claimed;
  readonly outcome: Outcome;
}

/** How many events were queued, and what could not be written yet. */
export interface Recorded {
  readonly queued: number;
  readonly held: readonly FinishedMessage[];
}

/**
 * Writes outcomes, and the events that follow from them, all in one transaction. An outcome counts only while nobody
 * else has claimed, replayed or dropped the message since. Where an event's inquiry is held by another transaction, the
 * outcome is left for later: its message stays claimed for `leaseMs` from now.
 */
export function recordOutcomes(
  { database, encryption }: { readonly database: Knex; readonly encryption: Encryption },
  finished: readonly FinishedMessage[],
  leaseMs: number,
): Promise<Recorded> {
  return inTransaction(database, async (transaction) => {
    const ours = await stillOurs(transaction, finished);
    const events = await queueEvents({ connection: transaction, encryption }, ours.flatMap(eventOf));
    const held = ours.filter(({ message }) => events.held.has(message.id));
    const free = ours.filter(({ message }) => !events.held.has(message.id));
    await renewClaims(transaction, held, leaseMs);
    await writeDelivered(transaction, free);
    for (const { message, outcome } of free) {
      if (outcome.kind !== 'delivered') await writeFailure(transaction, message, outcome);
    }
    return { queued: events.queued, held };
  });
}

/** What was sent must not be sent again because its outcome waits. */
async function renewClaims(transaction: Knex.Transaction, held: readonly FinishedMessage[], leaseMs: number): Promise<void> {
  if (held.length === 0) return;
  const ids = held.map(({ message }) => idToBytes(message.id));
  await transaction('outbox')
    .whereIn('id', ids)
    .update({ due_at: transaction.raw(fromNow, [microseconds(leaseMs)]) });
}

/** Locks the messages; the fence of each tells whether its claim is the last one. */
async function stillOurs(transaction: Knex.Transaction, finished: readonly FinishedMessage[]): Promise<FinishedMessage[]> {
  const rows = (await transaction('outbox')
    .select('id', 'fence')
    .whereIn(
      'id',
      finished.map(({ message }) => idToBytes(message.id)),
    )
    .where('state', 'pending')
    .forUpdate()) as { id: Buffer; fence: number }[];
  const fences = new Map(rows.map(({ id, fence }) => [idFromBytes(id), fence]));
  return finished.filter(({ message }) => fences.get(message.id) === message.fence);
}

async function writeDelivered(transaction: Knex.Transaction, ours: readonly FinishedMessage[]): Promise<void> {
  const ids = ours.filter(({ outcome }) => outcome.kind === 'delivered').map(({ message }) => idToBytes(message.id));
  if (ids.length === 0) return;
  await transaction('outbox')
    .whereIn('id', ids)
    .update({
      state: 'delivered',
      due_at: null,
      error: null,
      // Nobody needs it any more, and it names people.
      content: Buffer.alloc(0),
      updated_at: new Date(),
    });
}

async function writeFailure(
  transaction: Knex.Transaction,
  message: Claimed,
  outcome: Exclude<Outcome, { kind: 'delivered' }>,
): Promise<void> {
  await transaction('outbox')
    .where('id', idToBytes(message.id))
    .update({
      error: outcome.error.slice(0, 255),
      updated_at: new Date(),
      ...failureColumns(transaction, outcome),
    });
}

function failureColumns(
  transaction: Knex.Transaction,
  outcome: Exclude<Outcome, { kind: 'delivered' }>,
): Record<string, Knex.Value> {
  const dueIn = (ms: number): Knex.Raw => transaction.raw(fromNow, [microseconds(ms)]);
  switch (outcome.kind) {
    case 'dead':
      return { state: 'dead', due_at: null };
    case 'later':
      return { due_at: dueIn(outcome.delayMs) };
    case 'interrupted':
      return { due_at: dueIn(0), attempts: transaction.raw('attempts - 1') };
  }
}

function eventOf({ message, outcome }: FinishedMessage): NotificationEvent[] {
  const { id, tenantId, inquiryId, channel } = message;
  // An event about an event could go on for ever.
  if (channel === 'WEBHOOK') return [];
  const notification = { id, type: channel };
  if (outcome.kind === 'delivered') return [{ type: 'notification.delivered', tenantId, inquiryId, notification }];
  if (outcome.kind !== 'dead') return [];
  const { reason } = outcome;
  return [{ type: 'notification.failed', tenantId, inquiryId, notification: { ...notification, reason } }];
}
