import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { changeEntry, type NewAuditEntry } from '../audit/audit.store.js';
import { readRoute, type RoutingChange } from './routing.js';

/**
 * The audit entries of pairs whose route in force has changed. To be called in the transaction that changed them, after
 * all its changes.
 */
export async function routingEntries(
  transaction: Knex.Transaction,
  actor: Actor,
  changes: readonly RoutingChange[],
): Promise<NewAuditEntry[]> {
  const entries: NewAuditEntry[] = [];
  for (const { before, ...pair } of changes) {
    const { value: after } = await readRoute(transaction, pair);
    if (before?.deploymentId === after?.deploymentId && before?.version === after?.version) continue;
    const resource = { type: 'routing', id: `${pair.environmentId}/${pair.decisionId}` } as const;
    entries.push(changeEntry(actor, pair.workspaceId, { resource, before, after }));
  }
  return entries;
}
