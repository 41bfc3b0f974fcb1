import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes, newId } from '../storage/ids.js';

/** A client's secret as stored. */
interface StoredSecret {
  readonly id: string;
  readonly digest: Buffer;
}

interface Row {
  readonly id: Buffer;
  readonly digest: Buffer;
}

/** The secrets of a client that are good at `now`, newest first. */
export async function listLiveSecrets(connection: Connection, clientId: string, now: Date): Promise<StoredSecret[]> {
  const rows = (await connection('client_secrets')
    .select('id', 'digest')
    .where('client_id', idToBytes(clientId))
    .where((live) => void live.whereNull('expires_at').orWhere('expires_at', '>', now))
    .orderBy('id', 'desc')) as Row[];
  return rows.map((row) => ({ id: idFromBytes(row.id), digest: row.digest }));
}

/** Throws MySQL's 1452 when there is no such client. */
export async function insertSecret(connection: Connection, clientId: string, digest: Buffer): Promise<void> {
  await connection('client_secrets').insert({
    id: idToBytes(newId()),
    client_id: idToBytes(clientId),
    digest,
    expires_at: null,
    created_at: new Date(),
  });
}

/** Gives one secret an expiry, and deletes every other one. */
export async function retireSecrets(
  connection: Connection,
  clientId: string,
  keep: { readonly id: string; readonly expiresAt: Date },
): Promise<void> {
  const secrets = connection('client_secrets').where('client_id', idToBytes(clientId));
  await secrets.clone().whereNot('id', idToBytes(keep.id)).delete();
  await secrets.where('id', idToBytes(keep.id)).update({ expires_at: keep.expiresAt });
}
