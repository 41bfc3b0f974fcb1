import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, tenantEntry, type NewAuditEntry, type Writer } from '../audit/audit.store.js';
import { Problem } from '../errors.js';
import { inTransaction, type Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { newId } from '../storage/ids.js';
import { referring } from '../workspaces/checkedInput.js';
import type { Attempt } from './attempt.js';
import { requireCallbackAddress } from './callbackAddress.js';
import {
  deleteCallback,
  findCallback,
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

/** Makes a new signing secret in a transaction. Rejects where the owner has no callback. */
export async function rotateSecret(
  sealing: { readonly connection: Connection; readonly encryption: Encryption },
  owner: CallbackOwner,
): Promise<RotatedSecret> {
  const secret = makeWebhookSecret();
  const previousExpiresAt = new Date(Date.now() + overlapMs);
  if (!(await replaceSecret(sealing, owner, { secret, previousExpiresAt }))) throw noCallback(owner);
  return { secret, previousExpiresAt: previousExpiresAt.toISOString() };
}

/**
 * Sets where a tenant's events go. The first time a secret is made and returned, only this once; later calls keep it
 * (null). Rejects with `validation_failed` for an address that delivery would refuse, `reference_not_found` for an
 * unknown tenant.
 * @param privateHosts OUTBOUND_ALLOW
 */
export async function setCallback(
  { database, encryption, actor }: CallbackWriter,
  { tenantId, url }: { readonly tenantId: string; readonly url: string },
  privateHosts: readonly string[],
): Promise<{ readonly secret: string | null }> {
  await requireCallbackAddress(url, privateHosts);
  return inTransaction(database, async (connection) => {
    const before = await findCallback(connection, { tenantId }, true);
    const secret = makeWebhookSecret();
    const writing = writeCallback({ connection, encryption }, { tenantId }, { url, kinds: [], secret });
    await referring(writing, `There is no tenant ${tenantId}.`);
    const states = { before: before === undefined ? null : { url: before.url }, after: { url } };
    const verb = before === undefined ? 'create' : 'update';
    await appendAuditEntries(connection, [callbackEntry(actor, tenantId, verb, states)]);
    return { secret: before === undefined ? secret : null };
  });
}

/**
 * Makes a new signing secret. For 24 hours events are signed with the one before as well. Rejects with
 * `reference_not_found` when the tenant has no callback.
 */
export function rotateCallbackSecret(
  { database, encryption, actor }: CallbackWriter,
  tenantId: string,
): Promise<RotatedSecret> {
  return inTransaction(database, async (connection) => {
    const rotated = await rotateSecret({ connection, encryption }, { tenantId });
    const after = { previousExpiresAt: rotated.previousExpiresAt };
    await appendAuditEntries(connection, [callbackEntry(actor, tenantId, 'rotate_secret', { before: null, after })]);
    return rotated;
  });
}

/**
 * Removes a tenant's callback; events that wait become dead letters. Rejects with `reference_not_found` when the tenant
 * has no callback.
 */
export function removeCallback({ database, actor }: Writer, tenantId: string): Promise<void> {
  return inTransaction(database, async (connection) => {
    const before = await requireCallback(connection, { tenantId }, true);
    await deleteCallback(connection, { tenantId });
    const states = { before: { url: before.url }, after: null };
    await appendAuditEntries(connection, [callbackEntry(actor, tenantId, 'delete', states)]);
  });
}

/** A tenant has one callback, so its id is the tenant's. */
const callbackEntry = (
  actor: Actor,
  tenantId: string,
  verb: 'create' | 'update' | 'rotate_secret' | 'delete',
  states: Pick<NewAuditEntry, 'before' | 'after'>,
): NewAuditEntry => {
  const resource = { type: 'callback', id: tenantId } as const;
  return tenantEntry(actor, tenantId, { action: `callback.${verb}`, resource, ...states });
};

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
