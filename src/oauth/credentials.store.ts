import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { clients, type Client } from './clients.store.js';

/** A client with the digests of its secrets. */
export interface Credentials {
  readonly client: Client;
  readonly secrets: readonly { readonly digest: Buffer; readonly expiresAt: Date | null }[];
}

interface Row {
  readonly id: Buffer;
  readonly digest: Buffer | null;
  readonly secret_expires_at: Date | null;
}

/** The existing clients among the given ids, of any tenant, by id; in one statement. */
export async function findCredentials(
  connection: Connection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Credentials>> {
  const rows = (await connection('clients')
    .leftJoin('client_secrets', 'client_secrets.client_id', 'clients.id')
    .select(clients.names.map((column) => `clients.${column}`))
    // Renamed, because a client has a column `expires_at` of its own.
    .select({ digest: 'client_secrets.digest', secret_expires_at: 'client_secrets.expires_at' })
    .whereIn('clients.id', ids.map(idToBytes))) as Row[];
  const found = new Map<string, { client: Client; secrets: { digest: Buffer; expiresAt: Date | null }[] }>();
  for (const row of rows) {
    const id = idFromBytes(row.id);
    let entry = found.get(id);
    if (entry === undefined) found.set(id, (entry = { client: clients.map(row), secrets: [] }));
    if (row.digest !== null) entry.secrets.push({ digest: row.digest, expiresAt: row.secret_expires_at });
  }
  return found;
}
