import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, tenantEntry, type NewAuditEntry, type Writer } from '../audit/audit.store.js';
import { Problem } from '../errors.js';
import { inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { newId } from '../storage/ids.js';
import { referring } from '../workspaces/checkedInput.js';
import type { Attempt } from './attempt.js';
import { requireCallbackAddress } from './callbackAddress.js';
import {
  deleteCallback,
  findCallback,
  idOf,
  openCallback,
  replaceSecret,
  writeCallback,
  type CallbackOwner,
  type StoredCallback,
} from './callbacks.store.js';
import { eventBody } from './events.js';
import { makeWebhookSecret } from './signature.js';
import type { PostSettings } from './transports/post.js';
import { createWebhookTransport } from './transports/webhook.js';

// What workspaces do with their callbacks by HTTP, and operators with those of tenants by the command line.

interface Dependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
}

type CallbackWriter = Dependencies & Writer;

/** How long the previous secret signs too after a rotation, in milliseconds. */
const overlapMs = 24 * 60 * 60 * 1000;

/** A new signing secret, which is shown this once, and until when the one before signs too. */
interface RotatedSecret {
  readonly secret: string;
  readonly previousExpiresAt: string;
}

/** Where the owner's events go. Rejects where it has no callback. */
export async function requireCallback(...of: Parameters<typeof findCallback>): Promise<StoredCallback> {
  const found = await findCallback(...of);
  if (found === undefined) throw noCallback(of[1]);
  return found;
}

/** What is answered where the owner has no callback: `callback_not_found` in a workspace, `reference_not_found` to operators. */
const noCallback = (owner: CallbackOwner): Problem =>
  'tenantId' in owner
    ? new Problem('reference_not_found', `The tenant ${owner.tenantId} has no callback; set one first.`)
    : new Problem('callback_not_found', 'The workspace has no callback.');

/** What of a callback is told: a tenant's has no kinds of events, and hears of all. */
const told = ({ url, kinds }: Pick<StoredCallback, 'url' | 'kinds'>): object =>
  kinds.length === 0 ? { url } : { url, kinds };

/** An owner has one callback, so its id is the owner's. */
function callbackEntry(
  actor: Actor,
  owner: CallbackOwner,
  verb: 'create' | 'update' | 'rotate_secret' | 'delete',
  states: Pick<NewAuditEntry, 'before' | 'after'>,
): NewAuditEntry {
  const resource = { type: 'callback', id: idOf(owner) } as const;
  const change = { action: `callback.${verb}`, resource, ...states } as const;
  return 'tenantId' in owner
    ? tenantEntry(actor, owner.tenantId, change)
    : { actor, workspaceId: owner.workspaceId, ...change };
}

/** Refuses what is not in the state that the caller has seen. */
type Match = (present: Pick<StoredCallback, 'url' | 'kinds'> | undefined) => void;

/**
 * Sets where an owner's events go. The first time a secret is made and returned, only this once; later calls keep it. Rejects with
 * `validation_failed` for an address that delivery would refuse, `reference_not_found` for an unknown tenant.
 * @param privateHosts OUTBOUND_ALLOW
 */
export async function setCallback(
  { database, encryption, actor }: CallbackWriter,
  { owner, url, kinds = [] }: { owner: CallbackOwner; url: string; kinds?: StoredCallback['kinds'] },
  privateHosts: readonly string[],
  match: Match = () => undefined,
): Promise<Pick<StoredCallback, 'url' | 'kinds'> & { readonly secret?: string }> {
  await requireCallbackAddress(url, privateHosts);
  return inTransaction(database, async (connection) => {
    const before = await findCallback(connection, owner, true);
    match(before);
    const secret = makeWebhookSecret();
    const writing = writeCallback({ connection, encryption }, owner, { url, kinds, secret });
    await referring(writing, `There is no tenant ${idOf(owner)}.`);
    const states = { before: before === undefined ? null : told(before), after: told({ url, kinds }) };
    const verb = before === undefined ? 'create' : 'update';
    await appendAuditEntries(connection, [callbackEntry(actor, owner, verb, states)]);
    return { url, kinds, ...(before === undefined ? { secret } : {}) };
  });
}

/** Makes a new signing secret. For 24 hours events are signed with the one before as well. Rejects where the owner has no callback. */
export function rotateCallbackSecret(
  { database, encryption, actor }: CallbackWriter,
  owner: CallbackOwner,
): Promise<RotatedSecret> {
  return inTransaction(database, async (connection) => {
    const present = told(await requireCallback(connection, owner, true));
    const secret = makeWebhookSecret();
    const until = new Date(Date.now() + overlapMs);
    await replaceSecret({ connection, encryption }, owner, { secret, previousExpiresAt: until });
    const previousExpiresAt = until.toISOString();
    const states =
      'tenantId' in owner ? { before: null, after: { previousExpiresAt } } : { before: present, after: present };
    await appendAuditEntries(connection, [callbackEntry(actor, owner, 'rotate_secret', states)]);
    return { secret, previousExpiresAt };
  });
}

/** Removes a callback; events that wait become dead letters. Rejects where the owner has none. */
export function removeCallback(
  { database, actor }: Writer,
  owner: CallbackOwner,
  match: Match = () => undefined,
): Promise<void> {
  return inTransaction(database, async (connection) => {
    const before = await requireCallback(connection, owner, true);
    match(before);
    await deleteCallback(connection, owner);
    await appendAuditEntries(connection, [
      callbackEntry(actor, owner, 'delete', { before: told(before), after: null }),
    ]);
  });
}

/** The result of a test event. */
interface Ping {
  /** The `webhook-id` of the message. */
  readonly id: string;
  readonly url: string;
  readonly attempt: Attempt;
  readonly ms: number;
}

/**
 * Sends a signed event of type `ping` once, at once, bypassing the outbox. Rejects where the owner has no callback; what the
 * receiver does is in the answer.
 */
export async function pingCallback(
  { database, encryption }: Dependencies,
  owner: CallbackOwner,
  settings: PostSettings,
): Promise<Ping> {
  const callback = await openCallback({ connection: database, encryption }, owner);
  if (callback === undefined) throw noCallback(owner);
  const id = newId();
  const started = performance.now();
  const send = createWebhookTransport(settings);
  const attempt = await send({ id, body: eventBody('ping', { ...owner }) }, callback, new AbortController().signal);
  return { id, url: callback.url, attempt, ms: Math.round(performance.now() - started) };
}
