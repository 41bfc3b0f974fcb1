import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { appendAuditEntries, tenantEntry } from '../audit/audit.store.js';
import type { Encryption } from '../storage/encryption.js';
import { inClientTransaction, type ClientRef, type GivingWriter } from './clientTransaction.js';
import { digestNewSecret } from '../oauth/digestKeys.store.js';
import { requireOwn } from './giving.js';
import { insertSecret, listLiveSecrets, retireSecrets } from '../oauth/secrets.store.js';

/** Makes a client's secret: 256 bits, in characters that need no encoding anywhere. Stored as a digest. */
export async function giveSecret(
  transaction: Knex.Transaction,
  encryption: Encryption,
  clientId: string,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  await insertSecret(transaction, clientId, await digestNewSecret({ connection: transaction, encryption }, secret));
  return secret;
}

/** How long the previous secret keeps working after a rotation, in milliseconds. */
const overlapMs = 24 * 60 * 60 * 1000;

interface RotatedSecret {
  readonly secret: string;
  /** When the previous secret stops working; null when there was none. */
  readonly previousExpiresAt: string | null;
}

/**
 * Makes a new secret. The previous one keeps working for 24 hours; older ones stop at once, so that two rotations
 * revoke a disclosed secret. Who gets a secret has all that its client has. Rejects as `changeClient`.
 */
export async function rotateSecret(
  { database, encryption, actor, giver }: GivingWriter & { readonly encryption: Encryption },
  ref: ClientRef,
): Promise<RotatedSecret> {
  return inClientTransaction({ database, giver, needed: 'client:write' }, ref, async ({ transaction, client, own }) => {
    requireOwn(own, client);
    const expiresAt = new Date(Date.now() + overlapMs);
    const [previous] = await listLiveSecrets(transaction, client.id, new Date());
    if (previous !== undefined) await retireSecrets(transaction, client.id, { id: previous.id, expiresAt });
    const secret = await giveSecret(transaction, encryption, client.id);
    const previousExpiresAt = previous === undefined ? null : expiresAt.toISOString();
    const change = {
      action: 'client.rotate_secret',
      resource: { type: 'client', id: client.id },
      before: null,
    } as const;
    const entry = tenantEntry(actor, client.tenantId, { ...change, after: { previousExpiresAt } });
    await appendAuditEntries(transaction, [entry]);
    return { secret, previousExpiresAt };
  });
}
