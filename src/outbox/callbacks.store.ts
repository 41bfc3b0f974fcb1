import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idToBytes } from '../storage/ids.js';
import type { SealedRow, SealedTable } from '../storage/sealedTable.js';
import type { Callback } from './transports/webhook.js';

interface Row {
  readonly url: string;
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly previous_expires_at: Date | null;
}

/** One context for both columns, because a secret moves from one to the other without being encrypted again. */
const contextOf = (tenantId: string): string => `callbacks/${tenantId}/secret`;
const sealedAs = ({ id }: SealedRow): string => contextOf(id('tenant_id'));

export const sealedCallbacks: SealedTable = {
  table: 'callbacks',
  key: ['tenant_id'],
  contexts: { secret: sealedAs, previous_secret: sealedAs },
};

/** @param lock holds the row until the transaction ends */
async function findRow(connection: Connection, tenantId: string, lock: boolean): Promise<Row | undefined> {
  const reading = connection('callbacks')
    .select('url', 'secret', 'previous_secret', 'previous_expires_at')
    .where('tenant_id', idToBytes(tenantId));
  if (lock) reading.forUpdate();
  const [row] = (await reading) as Row[];
  return row;
}

/** Where a tenant's events go and what signs them now. Undefined when the tenant has no callback. */
export async function findCallback(
  { connection, encryption }: { connection: Connection; encryption: Encryption },
  tenantId: string,
): Promise<Callback | undefined> {
  const row = await findRow(connection, tenantId, false);
  if (row === undefined) return undefined;
  const { previous_secret: previous, previous_expires_at: expiresAt } = row;
  const live = previous !== null && expiresAt !== null && expiresAt.getTime() > Date.now();
  const sealed = live ? [row.secret, previous] : [row.secret];
  return { url: row.url, secrets: sealed.map((secret) => encryption.open(secret, contextOf(tenantId))) };
}

/** Throws MySQL's 1452 when there is no such tenant, 1062 when it has a callback. */
export async function insertCallback(
  { connection, encryption }: { connection: Connection; encryption: Encryption },
  tenantId: string,
  { url, secret }: { url: string; secret: string },
): Promise<void> {
  const now = new Date();
  await connection('callbacks').insert({
    tenant_id: idToBytes(tenantId),
    url,
    secret: encryption.seal(secret, contextOf(tenantId)),
    created_at: now,
    updated_at: now,
  });
}

/** False when the tenant has no callback. */
export async function updateCallbackUrl(connection: Connection, tenantId: string, url: string): Promise<boolean> {
  const found = await connection('callbacks')
    .where('tenant_id', idToBytes(tenantId))
    .update({ url, updated_at: new Date() });
  return found === 1;
}

/** The present secret becomes the previous one until `previousExpiresAt`. False when the tenant has no callback. */
export async function replaceSecret(
  { connection, encryption }: { connection: Connection; encryption: Encryption },
  tenantId: string,
  { secret, previousExpiresAt }: { secret: string; previousExpiresAt: Date },
): Promise<boolean> {
  const row = await findRow(connection, tenantId, true);
  if (row === undefined) return false;
  await connection('callbacks')
    .where('tenant_id', idToBytes(tenantId))
    .update({
      secret: encryption.seal(secret, contextOf(tenantId)),
      previous_secret: row.secret,
      previous_expires_at: previousExpiresAt,
      updated_at: new Date(),
    });
  return true;
}

/** A callback without its secrets. */
export interface CallbackDescription {
  readonly url: string;
  /** Until then the secret before the present one signs, too. Null: there is none. */
  readonly previousExpiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Undefined when the tenant has no callback. */
export async function describeCallback(
  connection: Connection,
  tenantId: string,
): Promise<CallbackDescription | undefined> {
  const [row] = (await connection('callbacks')
    .select('url', 'previous_expires_at', 'created_at', 'updated_at')
    .where('tenant_id', idToBytes(tenantId))) as (Pick<Row, 'url' | 'previous_expires_at'> & {
    created_at: Date;
    updated_at: Date;
  })[];
  if (row === undefined) return undefined;
  const { previous_expires_at: expiresAt } = row;
  return {
    url: row.url,
    previousExpiresAt: expiresAt !== null && expiresAt.getTime() > Date.now() ? expiresAt.toISOString() : null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** False when the tenant has no callback. */
export async function deleteCallback(connection: Connection, tenantId: string): Promise<boolean> {
  return (await connection('callbacks').where('tenant_id', idToBytes(tenantId)).delete()) === 1;
}
