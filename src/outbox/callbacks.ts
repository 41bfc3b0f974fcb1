import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { isWebUrl } from '../http/formats.js';
import { inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { invalid, referring } from '../workspaces/checks.js';
import { insertCallback, replaceSecret, updateCallbackUrl } from './callbacks.store.js';
import { makeWebhookSecret } from './signature.js';

/** Callbacks have no HTTP API: these functions are what the command line calls. */

interface Dependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
}

/** How long the secret before signs along after a rotation, in milliseconds. */
const overlapMs = 24 * 60 * 60 * 1000;

/**
 * Sets where a tenant's events go. The first time a secret is made, and returned this once; later ones keep it (null).
 * Rejects with `validation_failed` for another URL than http(s) without credentials, `reference_not_found` for an
 * unknown tenant.
 */
export function setCallback(
  { database, encryption }: Dependencies,
  { tenantId, url }: { readonly tenantId: string; readonly url: string },
): Promise<{ readonly secret: string | null }> {
  if (!isWebUrl(url)) throw invalid('A callback is an http(s) URL without credentials, of at most 2048 characters.');
  return inTransaction(database, async (connection) => {
    if (await updateCallbackUrl(connection, tenantId, url)) return { secret: null };
    const secret = makeWebhookSecret();
    await referring(
      insertCallback({ connection, encryption }, tenantId, { url, secret }),
      `There is no tenant ${tenantId}.`,
    );
    return { secret };
  });
}

/**
 * Makes a new signing secret. For 24 hours events are signed with the one before as well. Rejects with
 * `reference_not_found` when the tenant has no callback.
 */
export function rotateCallbackSecret(
  { database, encryption }: Dependencies,
  tenantId: string,
): Promise<{ readonly secret: string; readonly previousExpiresAt: string }> {
  const secret = makeWebhookSecret();
  const previousExpiresAt = new Date(Date.now() + overlapMs);
  return inTransaction(database, async (connection) => {
    if (!(await replaceSecret({ connection, encryption }, tenantId, { secret, previousExpiresAt }))) {
      throw new Problem('reference_not_found', `The tenant ${tenantId} has no callback; set one first.`);
    }
    return { secret, previousExpiresAt: previousExpiresAt.toISOString() };
  });
}
