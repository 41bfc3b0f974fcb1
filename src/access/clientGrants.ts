import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import type { NewAuditEntry } from '../audit/audit.store.js';
import { referring } from '../workspaces/checkedInput.js';
import { deleteGrant, insertGrant } from '../workspaces/grants.store.js';
import type { Client } from '../oauth/clients.store.js';

/** Writes what differs; gives an entry for the audit of each workspace, where its users find it. */
export async function changeGrants(
  transaction: Knex.Transaction,
  actor: Actor,
  {
    client,
    before,
    after,
  }: { client: Pick<Client, 'id' | 'tenantId'>; before: readonly string[]; after: readonly string[] },
): Promise<NewAuditEntry[]> {
  const { id: clientId, tenantId } = client;
  const entries: NewAuditEntry[] = [];
  for (const workspaceId of new Set([...before, ...after])) {
    const granted = after.includes(workspaceId);
    if (granted === before.includes(workspaceId)) continue;
    const grant = { tenantId, clientId, workspaceId };
    if (granted) await referring(insertGrant(transaction, grant), notOfTenant(workspaceId));
    else await deleteGrant(transaction, grant);
    entries.push({
      actor,
      workspaceId,
      tenantId,
      action: granted ? 'client.grant' : 'client.revoke',
      resource: { type: 'client', id: clientId },
      before: { granted: !granted },
      after: { granted },
    });
  }
  return entries;
}

const notOfTenant = (workspaceId: string): string => `The client's tenant has no workspace ${workspaceId}.`;
