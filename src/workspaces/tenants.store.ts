import type { Connection } from '../storage/database.js';
import { idFromBytes, idToBytes, newId } from '../storage/ids.js';

/** An organisation: it owns workspaces and clients. */
export interface Tenant {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

export async function insertTenant(connection: Connection, name: string): Promise<Tenant> {
  const id = newId();
  const now = new Date();
  await connection('tenants').insert({ id: idToBytes(id), name, created_at: now });
  return { id, name, createdAt: now.toISOString() };
}

/** Every tenant, oldest first. */
export async function listTenants(connection: Connection): Promise<Tenant[]> {
  const rows = (await connection('tenants').select('id', 'name', 'created_at').orderBy('id')) as {
    id: Buffer;
    name: string;
    created_at: Date;
  }[];
  return rows.map(({ id, name, created_at }) => ({ id: idFromBytes(id), name, createdAt: created_at.toISOString() }));
}
