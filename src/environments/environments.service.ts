import type { Knex } from 'knex';
import { holdDeploymentsOf, tellRemovals } from '../deployments/deployments.store.js';
import { requireUnexecuted } from '../deployments/executed.store.js';
import { changeRoutesOfEnvironment, environmentsRoutedBy, type Routing } from '../deployments/routing.js';
import { routingEntries } from '../deployments/routingEntries.js';
import { requireUnprotected } from '../protections/guard.js';
import type { Writing } from '../resource/write.js';
import type { ResourceRef, Revised } from '../storage/resourceTable.js';
import type { Environment } from './environments.schema.js';
import { environments } from './environments.store.js';

/**
 * Removes an environment with its deployments, and publishes the routes that change by it. Rejects with
 * `environment_not_found`, `precondition_failed`, `approval_required`, `execution_history_exists`.
 */
export async function removeEnvironment(
  { database, routing }: { readonly database: Knex; readonly routing: Routing },
  writing: Writing<ResourceRef, Revised<Environment>>,
): Promise<void> {
  const { workspaceId, id } = writing.ref;
  const { changed } = await environments.write(database, writing, async (transaction) => {
    const routed = await environmentsRoutedBy(transaction, workspaceId, { environmentId: id });
    for (const environmentId of [...new Set([id, ...routed])].sort()) {
      await requireUnprotected(transaction, { workspaceId, environmentId });
    }
    const changed = await changeRoutesOfEnvironment(transaction, workspaceId, id);
    const deploymentIds = await holdDeploymentsOf(transaction, workspaceId, id);
    await requireUnexecuted(transaction, 'environment', { workspaceId, environmentId: id, deploymentIds });
    await tellRemovals(transaction, writing.actor, { workspaceId, ids: deploymentIds });
    await environments.delete(transaction, writing.ref);
    const entries = await routingEntries(transaction, writing.actor, changed);
    return { after: null, entries, changed };
  });
  await routing.publish(changed);
}
