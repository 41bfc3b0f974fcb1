import type { EventKind } from '../events/kinds.js';
import type { Connection } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idToBytes } from '../storage/ids.js';
import type { SealedRow, SealedTable } from '../storage/sealedTable.js';
import type { Callback } from './transports/webhook.js';

/** Whose events it gets: a tenant's, of its inquiries, or a workspace's. */
export type CallbackOwner = { readonly tenantId: string } | { readonly workspaceId: string };

export const idOf = (owner: CallbackOwner): string => ('tenantId' in owner ? owner.tenantId : owner.workspaceId);

/** Where an owner's events go, without the secrets that sign them. */
export interface StoredCallback {
  readonly url: string;
  /** Which of a workspace's; a tenant gets all of its own. */
  readonly kinds: EventKind[];
  /** Until then the secret before the present one signs, too. Null: there is none. */
  readonly previousExpiresAt: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface Row {
  readonly url: string;
  readonly kinds: string;
  readonly secret: Buffer;
  readonly previous_secret: Buffer | null;
  readonly previous_expires_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = ['url', 'kinds', 'secret', 'previous_secret', 'previous_expires_at', 'created_at', 'updated_at'];

/** One context for both columns, because a secret moves from one to the other without being encrypted again. */
const contextOf = (ownerId: string): string => `callbacks/${ownerId}/secret`;
const sealedAs = ({ id }: SealedRow): string => contextOf(id('owner_id'));

export const sealedCallbacks: SealedTable = {
  table: 'callbacks',
  key: ['owner_id'],
  contexts: { secret: sealedAs, previous_secret: sealedAs },
};

interface Sealing {
  readonly connection: Connection;
  readonly encryption: Encryption;
}

const one = (connection: Connection, owner: CallbackOwner) =>
  connection('callbacks').where('owner_id', idToBytes(idOf(owner)));

/** @param lock holds the row until the transaction ends */
async function findRow(connection: Connection, owner: CallbackOwner, lock: boolean): Promise<Row | undefined> {
  const reading = one(connection, owner).select<Row[]>(columns);
  if (lock) void reading.forUpdate();
  const [row] = await reading;
  return row;
}

const previousOf = ({ previous_secret: secret, previous_expires_at: expiresAt }: Row) =>
  secret !== null && expiresAt !== null && expiresAt.getTime() > Date.now() ? { secret, expiresAt } : undefined;

/** Undefined where the owner has none. @param lock holds it until the transaction ends */
export async function findCallback(
  connection: Connection,
  owner: CallbackOwner,
  lock = false,
): Promise<StoredCallback | undefined> {
  const row = await findRow(connection, owner, lock);
  return (
    row && {
      url: row.url,
      kinds: row.kinds === '' ? [] : (row.kinds.split(',') as EventKind[]),
      previousExpiresAt: previousOf(row)?.expiresAt.toISOString() ?? null,
      createdAt: row.created_at.toISOString(),
      updatedAt: row.updated_at.toISOString(),
    }
  );
}

/** Where an owner's events go and what signs them now. Undefined where it has no callback. */
export async function openCallback(
  { connection, encryption }: Sealing,
  owner: CallbackOwner,
): Promise<Callback | undefined> {
  const row = await findRow(connection, owner, false);
  if (row === undefined) return undefined;
  const previous = previousOf(row);
  const sealed = previous === undefined ? [row.secret] : [row.secret, previous.secret];
  return { url: row.url, secrets: sealed.map((secret) => encryption.open(secret, contextOf(idOf(owner)))) };
}

/** Writes a first one, or other fields of it: then its secret stays. Throws MySQL's 1452 when there is no such owner. */
export async function writeCallback(
  { connection, encryption }: Sealing,
  owner: CallbackOwner,
  { url, kinds, secret }: Pick<StoredCallback, 'url' | 'kinds'> & { readonly secret: string },
): Promise<void> {
  const now = new Date();
  const id = idToBytes(idOf(owner));
  const fields = { url, kinds: kinds.join(), updated_at: now };
  await connection('callbacks')
    .insert({
      owner_id: id,
      ...('tenantId' in owner ? { tenant_id: id } : { workspace_id: id }),
      ...fields,
      secret: encryption.seal(secret, contextOf(idOf(owner))),
      created_at: now,
    })
    .onConflict('owner_id')
    .merge(Object.keys(fields));
}

/** The present secret becomes the previous one until `previousExpiresAt`. */
export async function replaceSecret(
  { connection, encryption }: Sealing,
  owner: CallbackOwner,
  { secret, previousExpiresAt }: { readonly secret: string; readonly previousExpiresAt: Date },
): Promise<void> {
  const row = await findRow(connection, owner, true);
  await one(connection, owner).update({
    secret: encryption.seal(secret, contextOf(idOf(owner))),
    previous_secret: row?.secret ?? null,
    previous_expires_at: previousExpiresAt,
    updated_at: new Date(),
  });
}

export async function deleteCallback(connection: Connection, owner: CallbackOwner): Promise<void> {
  await one(connection, owner).delete();
}
