import type { Knex } from 'knex';
import { endJobs, heldAmong, renewJob, settleJob, type JobEnd } from '../jobs/jobs.store.js';
import { byPrimaryKey, inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { queueNotificationEvents, type NotificationEvent } from './events.js';
import { isNotification } from './message.js';
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
interface Recorded {
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
    const events = await queueNotificationEvents({ connection: transaction, encryption }, ours.flatMap(eventOf));
    const held = ours.filter(({ message }) => events.held.has(message.id));
    const free = ours.filter(({ message }) => !events.held.has(message.id));
    // So that messages are not sent again while their outcomes wait to be written.
    for (const { message } of held) await renewJob(transaction, message, leaseMs);
    await writeEnded(transaction, free);
    for (const { message, outcome } of free) {
      if (!isEnd(outcome)) await writeFailure(transaction, message, outcome);
    }
    return { queued: events.queued, held };
  });
}

/**
 * Locks the messages and keeps the ones whose fencing token is still ours. A message that would be tried again becomes
 * `replaced` where its inquiry no longer lists it.
 */
async function stillOurs(
  transaction: Knex.Transaction,
  finished: readonly FinishedMessage[],
): Promise<FinishedMessage[]> {
  const rows = (await byPrimaryKey(transaction, 'outbox')
    .select('id', 'channel', 'listed')
    .whereIn(
      'id',
      finished.map(({ message }) => idToBytes(message.id)),
    )
    .where('state', 'pending')
    .forUpdate()) as (Parameters<typeof isReplaced>[0] & { id: Buffer })[];
  const present = new Map(rows.map((row) => [idFromBytes(row.id), row]));
  const messages = finished.map(({ message }) => message);
  const held = await heldAmong(transaction, messages);
  return finished.flatMap(({ message, outcome }) => {
    const row = present.get(message.id);
    if (row === undefined || !held.has(message.id)) return [];
    const again = outcome.kind === 'later' || outcome.kind === 'interrupted';
    return [{ message, outcome: again && isReplaced(row) ? { kind: 'replaced' } : outcome }];
  });
}

type End = Extract<Outcome, { kind: 'delivered' | 'logged' | 'replaced' }>;
type Failure = Exclude<Outcome, End>;

const isEnd = (outcome: Outcome): outcome is End =>
  outcome.kind === 'delivered' || outcome.kind === 'logged' || outcome.kind === 'replaced';

/** Few statements: nearly all are delivered at the first attempt. */
async function writeEnded(transaction: Knex.Transaction, ours: readonly FinishedMessage[]): Promise<void> {
  type Alike = Pick<FinishedMessage['message'], 'channel' | 'attempts'> & { readonly state: End['kind'] };
  const alike = new Map<string, Alike & { readonly ids: string[] }>();
  for (const { message, outcome } of ours) {
    if (!isEnd(outcome)) continue;
    const { id, channel, attempts } = message;
    const name = `${outcome.kind} ${channel} ${attempts}`;
    const some = alike.get(name) ?? { state: outcome.kind, channel, attempts, ids: [] };
    some.ids.push(id);
    alike.set(name, some);
  }
  for (const { state, channel, attempts, ids } of alike.values()) {
    const rows = byPrimaryKey(transaction, 'outbox').whereIn('id', ids.map(idToBytes));
    await rows.update({ ...ended(state), attempts });
    await endJobs(transaction, channel, ids);
  }
}

async function writeFailure(transaction: Knex.Transaction, message: Claimed, outcome: Failure): Promise<void> {
  const dead = outcome.kind === 'dead' ? { state: 'dead', attempts: message.attempts } : {};
  await transaction('outbox')
    .where('id', idToBytes(message.id))
    .update({ error: outcome.error.slice(0, 255), updated_at: new Date(), ...dead });
  await settleJob(transaction, message, endOf(outcome));
}

function endOf(outcome: Failure): JobEnd {
  switch (outcome.kind) {
    case 'dead':
      return { kind: 'over' };
    case 'later':
      return { kind: 'postponed', reason: null, afterMs: outcome.delayMs };
    case 'interrupted':
      return { kind: 'interrupted' };
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
