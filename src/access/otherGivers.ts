import type { Knex } from 'knex';
import { Problem } from '../errors.js';
import { isActive, listClients, type Client } from '../oauth/clients.store.js';
import { grantsOf } from '../workspaces/grants.store.js';
import type { GrantedClient } from './clientTransaction.js';

// To take away is free, but not for good: a client gives what it has itself, so what no client has that may write clients
// nobody of the tenant can give back.

/** Who can give: now, and for as long as nobody takes it away. */
const kindsOfGivers = [isGiver, (client: Client): boolean => isGiver(client) && client.expiresAt === null];

function isGiver(client: Client): boolean {
  return isActive(client) && client.scopes.includes('client:write');
}

/**
 * Throws `last_client_writer` where a change of a client leaves nobody in the tenant who can give a scope, workspace or
 * resource that somebody could give before, or nobody after some time.
 * @param after undefined where the client is removed
 */
export async function requireOtherGivers(
  transaction: Knex.Transaction,
  before: GrantedClient,
  after: GrantedClient | undefined,
): Promise<void> {
  const listed = (await listClients(transaction, before.tenantId)).filter(
    (one) => one.id !== before.id && isGiver(one),
  );
  const ids = listed.map(({ id }) => id);
  const granted = await grantsOf(transaction, before.tenantId, ids);
  const others = listed.map((client) => ({ ...client, workspaces: granted.get(client.id) ?? [] }));
  for (const gives of kindsOfGivers) {
    if (!gives(before)) continue;
    const left = [...others, ...(after === undefined ? [] : [after])].filter(gives);
    for (const kind of ['scopes', 'workspaces', 'resources'] as const) {
      const lost = before[kind].filter((each) => !left.some((client) => client[kind].includes(each)));
      if (lost.includes('client:write')) throw lastWriter();
      if (lost.length > 0) throw lastGiver(kind, lost);
    }
  }
}

const lastWriter = (): Problem =>
  new Problem(
    'last_client_writer',
    'This is the last client of the tenant that may write clients; make another one first.',
  );

const lastGiver = (kind: string, lost: readonly string[]): Problem =>
  new Problem(
    'last_client_writer',
    `This is the last client of the tenant that can give the ${kind} ${lost.join(' ')}; ` +
      'give them to another one that may write clients first.',
  );
