import type { Knex } from 'knex';
import { inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { queueEvents, type NotificationEvent } from './events.js';
import { isNotification } from './message.js';
import { inMs } from '../storage/databaseClock.js';
import { ended, isReplaced, type Claimed } from './outbox.store.js';

/** The outcome to be written for a claimed message. */
export type Outcome =
  | { readonly kind: 'delivered' | 'logged' }
  | { readonly kind: 'later'; readonly error: string; readonly delayMs: number }
  /** Aborted by our own shutdown: due again at once, and the attempt does not count. */
  | { readonly kind: 'interrupted'; readonly error: string }
  /** The inquiry has new notifications by now: the message is not tried again. */
  | { readonly kind: 'replaced' }
  /** `refused`: for good, by the receiver; `undeliverable`: given up after the last attempt. */
  | { readonly kind: 'dead'; readonly error: string; readonly reason: 'refused' | 'undeliverable' };

export interface FinishedMessage {
  readonly message: Claimed;
  readonly outcome: Outcome;
}

/** How many events were queued, and the outcomes that could not be written yet. */
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
    await writeEnded(transaction, free);
    for (const { message, outcome } of free) {
      if (!isEnd(outcome)) await writeFailure(transaction, message, outcome);
    }
    return { queued: events.queued, held };
  });
}

/** Renews the leases, so that messages are not sent again while their outcomes wait to be written. */
async function renewClaims(
  transaction: Knex.Transaction,
  held: readonly FinishedMessage[],
  leaseMs: number,
): Promise<void> {
  if (held.length === 0) return;
  const ids = held.map(({ message }) => idToBytes(message.id));
  await transaction('outbox')
    .whereIn('id', ids)
    .update({ due_at: inMs(transaction, leaseMs) });
}

/**
 * Locks the messages and keeps the ones whose fencing token is still ours. A message that would be tried again becomes
 * `replaced` where its inquiry no longer lists it.
 */
async function stillOurs(
  transaction: Knex.Transaction,
  finished: readonly FinishedMessage[],
): Promise<FinishedMessage[]> {
  const rows = (await transaction('outbox')
    .select('id', 'fence', 'channel', 'listed')
    .whereIn(
      'id',
      finished.map(({ message }) => idToBytes(message.id)),
    )
    .where('state', 'pending')
    .forUpdate()) as (Parameters<typeof isReplaced>[0] & { id: Buffer; fence: number })[];
  const present = new Map(rows.map((row) => [idFromBytes(row.id), row]));
  return finished.flatMap(({ message, outcome }) => {
    const row = present.get(message.id);
    if (row?.fence !== message.fence) return [];
    const again = outcome.kind === 'later' || outcome.kind === 'interrupted';
    return [{ message, outcome: again && isReplaced(row) ? { kind: 'replaced' } : outcome }];
  });
}

type End = Extract<Outcome, { kind: 'delivered' | 'logged' | 'replaced' }>;
type Failure = Exclude<Outcome, End>;

const isEnd = (outcome: Outcome): outcome is End =>
  outcome.kind === 'delivered' || outcome.kind === 'logged' || outcome.kind === 'replaced';

async function writeEnded(transaction: Knex.Transaction, ours: readonly FinishedMessage[]): Promise<void> {
  for (const state of ['delivered', 'logged', 'replaced'] as const) {
    const ids = ours.filter(({ outcome }) => outcome.kind === state).map(({ message }) => idToBytes(message.id));
    if (ids.length > 0) await transaction('outbox').whereIn('id', ids).update(ended(state));
  }
}

async function writeFailure(transaction: Knex.Transaction, message: Claimed, outcome: Failure): Promise<void> {
  await transaction('outbox')
    .where('id', idToBytes(message.id))
    .update({
      error: outcome.error.slice(0, 255),
      updated_at: new Date(),
      claimed: false,
      ...failureColumns(transaction, outcome),
    });
}

function failureColumns(transaction: Knex.Transaction, outcome: Failure): Record<string, Knex.Value> {
  const dueIn = (ms: number): Knex.Raw => inMs(transaction, ms);
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
  const { id, tenantId, inquiryId } = message;
  // Events about events would never end.
  if (!isNotification(message) || inquiryId === null) return [];
  const notification = { id, type: message.channel };
  if (outcome.kind === 'delivered') return [{ type: 'notification.delivered', tenantId, inquiryId, notification }];
  if (outcome.kind !== 'dead') return [];
  const { reason } = outcome;
  return [{ type: 'notification.failed', tenantId, inquiryId, notification: { ...notification, reason } }];
}
