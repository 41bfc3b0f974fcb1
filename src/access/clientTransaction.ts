import type { Knex } from 'knex';
import type { Writer } from '../audit/audit.store.js';
import { inTransaction, type Connection } from '../storage/database.js';
import { grantsOf } from '../workspaces/grants.store.js';
import { clients, type Client } from '../oauth/clients.store.js';
import { lockTenant, rightsOfGiver, type Giver, type Rights } from './giving.js';
import type { Scope } from '../oauth/scopes.js';

/** Who writes clients, grants and policies, and what they may give. */
export interface GivingWriter extends Writer {
  readonly giver: Giver;
}

/** A client with the ids of the workspaces that it is granted. */
export type GrantedClient = Client & { readonly workspaces: readonly string[] };

/** Which client; of any tenant for operators, whose tenant is undefined. */
export interface ClientRef {
  readonly id: string;
  readonly tenantId?: string | undefined;
}

interface ClientTransaction {
  readonly transaction: Knex.Transaction;
  readonly client: GrantedClient;
  /** What the giver has; undefined for an operator. */
  readonly own: Rights | undefined;
}

/** Works on a client in a transaction that holds the lock of its tenant. Rejects with `client_not_found`. */
export function inClientTransaction<T>(
  { database, giver, needed }: { readonly database: Knex; readonly giver: Giver; readonly needed: Scope },
  { id, tenantId }: ClientRef,
  work: (held: ClientTransaction) => Promise<T>,
): Promise<T> {
  return inTransaction(database, async (transaction) => {
    const owner = tenantId ?? (await requireClient(transaction, { id })).tenantId;
    await lockTenant(transaction, owner);
    const own = await rightsOfGiver(transaction, giver, needed);
    return work({ transaction, own, client: await requireClient(transaction, { id, tenantId: owner }) });
  });
}

/** Rejects with `client_not_found`. */
export async function requireClient(connection: Connection, { id, tenantId }: ClientRef): Promise<GrantedClient> {
  const client = await clients.require(connection, { id, tenantId });
  return { ...client, workspaces: (await grantsOf(connection, client.tenantId, [id])).get(id) ?? [] };
}
