import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, changeEntry, type NewAuditEntry, type Writer } from '../audit/audit.store.js';
import { deploymentEntry } from '../deployments/deployments.service.js';
import { listDeploymentsOf } from '../deployments/deployments.store.js';
import { changeRoutesOfEnvironment, environmentsRoutedBy, type Routing } from '../deployments/routing.js';
import { requireUnprotected } from '../protections/guard.js';
import { routingEntries } from '../deployments/routingEntries.js';
import { requireMatch } from '../api/preconditions.js';
import type { Preconditioned } from '../api/resource.js';
import { inTransaction } from '../storage/database.js';
import { requireUnexecuted } from '../deployments/executed.store.js';
import type { RevisedResource } from '../storage/revisions.js';
import type { Environment } from './environments.schema.js';
import type { ResourceRef } from '../storage/resourceTable.js';
import { environments, type EnvironmentFields } from './environments.store.js';

export function createEnvironment(
  { database, actor }: Writer,
  workspaceId: string,
  fields: EnvironmentFields,
): Promise<RevisedResource<Environment>> {
  return inTransaction(database, async (transaction) => {
    const made = await environments.insert(transaction, workspaceId, fields);
    await appendAuditEntries(transaction, [entryOf(actor, made.resource, null, made.resource)]);
    return made;
  });
}

/** Rejects with `environment_not_found`, `precondition_failed`. */
export function changeEnvironment(
  database: Knex,
  { actor, ref, ifMatch, fields }: Preconditioned & { readonly fields: Partial<EnvironmentFields> },
): Promise<RevisedResource<Environment>> {
  return inTransaction(database, async (transaction) => {
    const present = environments.present(await environments.find(transaction, ref, true), ref);
    requireMatch(ifMatch, present.revision);
    await environments.update(transaction, ref, fields);
    const changed = await environments.require(transaction, ref);
    await appendAuditEntries(transaction, [entryOf(actor, ref, present.resource, changed.resource)]);
    return changed;
  });
}

/**
 * Removes an environment with its deployments, if it is there, and publishes the routes that change by it. Rejects with
 * `execution_history_exists`, `approval_required`, `precondition_failed`.
 */
export async function removeEnvironment(
  { database, routing }: { readonly database: Knex; readonly routing: Routing },
  { actor, ref, ifMatch }: Preconditioned,
): Promise<void> {
  const { workspaceId, id } = ref;
  const changes = await inTransaction(database, async (transaction) => {
    const present = await environments.find(transaction, ref, true);
    if (present === undefined) return [];
    requireMatch(ifMatch, present.revision);
    const routed = await environmentsRoutedBy(transaction, workspaceId, { environmentId: id });
    for (const environmentId of [...new Set([id, ...routed])].sort()) {
      await requireUnprotected(transaction, { workspaceId, environmentId });
    }
    const changed = await changeRoutesOfEnvironment(transaction, workspaceId, id);
    const deployments = await listDeploymentsOf(transaction, workspaceId, id);
    const deploymentIds = deployments.map((deployment) => deployment.id);
    const named = { workspaceId, environmentId: id, deploymentIds };
    await requireUnexecuted(transaction, 'environment', named);
    await environments.delete(transaction, ref);
    await appendAuditEntries(transaction, [
      ...(await routingEntries(transaction, actor, changed)),
      ...deployments.map((deployment) => deploymentEntry(actor, deployment, { before: deployment, after: null })),
      entryOf(actor, ref, present.resource, null),
    ]);
    return changed;
  });
  await routing.publish(changes);
}

function entryOf(
  actor: Actor,
  { workspaceId, id }: ResourceRef,
  before: Environment | null,
  after: Environment | null,
): NewAuditEntry {
  return changeEntry(actor, workspaceId, { resource: { type: 'environment', id }, before, after });
}
