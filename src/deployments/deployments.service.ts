import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, changeEntry, type NewAuditEntry, type Writer } from '../audit/audit.store.js';
import { requireMatch } from '../api/preconditions.js';
import type { Preconditioned } from '../api/resource.js';
import { ChangedMeanwhile, inTransaction } from '../storage/database.js';
import { requireUnexecuted } from './executed.store.js';
import type { RevisedResource } from '../storage/revisions.js';
import type { ResourceRef } from '../storage/resourceTable.js';
import type { Deployment } from './deployments.schema.js';
import { deploymentColumns, deployments, type DeploymentFields } from './deployments.store.js';
import { isProtected, requireUnprotected } from '../protections/guard.js';
import { requireReferences } from './references.js';
import { requireRollback, rollbackEntry, type Deployed } from './rollback.js';
import { addRoute, changeRoutesOfDeployment, environmentsRoutedBy, type Routing } from './routing.js';
import { routingEntries } from './routingEntries.js';

/**
 * Deploys, and routes all traffic of the pair to it. To a protected environment only a version goes back that was in force
 * there before: stopping harm never waits. Rejects with `reference_not_found`, `approval_required`.
 */
export async function createDeployment(
  { database, actor, routing }: Writer & { readonly routing: Routing },
  workspaceId: string,
  fields: DeploymentFields,
): Promise<RevisedResource<Deployment>> {
  const { stored, change } = await inTransaction(database, async (transaction) => {
    await requireReferences(transaction, workspaceId, fields);
    const pair = { workspaceId, environmentId: fields.environmentId, decisionId: fields.decisionId };
    const isRollback = await isProtected(transaction, pair);
    if (isRollback) await requireRollback(transaction, pair, fields.version);
    const deployed = await deploy(transaction, actor, { workspaceId, fields });
    if (isRollback) await appendAuditEntries(transaction, [rollbackEntry(actor, deployed)]);
    return deployed;
  });
  await routing.publish([change]);
  return stored;
}

/** Deploys within a transaction that has checked the references, and whether it may. */
export async function deploy(
  transaction: Knex.Transaction,
  actor: Actor,
  { workspaceId, fields }: { readonly workspaceId: string; readonly fields: DeploymentFields },
): Promise<Deployed> {
  const stored = await deployments.insert(transaction, workspaceId, deploymentColumns(fields));
  const pair = { workspaceId, environmentId: fields.environmentId, decisionId: fields.decisionId };
  const route = { deploymentId: stored.resource.id, version: fields.version };
  const change = await addRoute(transaction, pair, route);
  await appendAuditEntries(transaction, [
    ...(await routingEntries(transaction, actor, [change])),
    deploymentEntry(actor, stored.resource, { before: null, after: stored.resource }),
  ]);
  return { stored, change };
}

/**
 * Changes the deployment only, not the routing. In a protected environment it keeps what it deploys. Rejects with
 * `deployment_not_found`, `reference_not_found`, `approval_required`, `precondition_failed`.
 */
export function changeDeployment(
  database: Knex,
  { actor, ref, ifMatch, changes }: Preconditioned & { readonly changes: Partial<DeploymentFields> },
): Promise<RevisedResource<Deployment>> {
  return inTransaction(database, async (transaction) => {
    const seen = await deployments.require(transaction, ref);
    requireMatch(ifMatch, seen.revision);
    // Before the deployment is locked (see `requireReferences`). What stays as it is needs no look.
    const { environmentId } = changes;
    const { decisionId, version } = { ...seen.resource, ...changes };
    const refers = environmentId ?? changes.decisionId ?? changes.version;
    if (refers !== undefined) {
      if (!isSameTarget(seen.resource, { ...seen.resource, ...changes })) {
        await requireUnprotected(transaction, { ...ref, environmentId: seen.resource.environmentId });
      }
      await requireReferences(transaction, ref.workspaceId, { decisionId, version, environmentId });
      if (environmentId !== undefined && environmentId !== seen.resource.environmentId) {
        await requireUnprotected(transaction, { ...ref, environmentId });
      }
    }
    const present = deployments.present(await deployments.find(transaction, ref, true), ref);
    requireMatch(ifMatch, present.revision);
    const fields = { ...present.resource, ...changes };
    if (refers !== undefined && !isSameTarget(seen.resource, present.resource)) throw new ChangedMeanwhile();
    await deployments.update(transaction, ref, deploymentColumns(fields));
    const changed = await deployments.require(transaction, ref);
    await appendAuditEntries(transaction, [
      deploymentEntry(actor, changed.resource, { before: present.resource, after: changed.resource }),
    ]);
    return changed;
  });
}

/** Whether both name the same version of the same decision in the same environment. */
const isSameTarget = (a: DeploymentFields, b: DeploymentFields): boolean =>
  a.decisionId === b.decisionId && a.version === b.version && a.environmentId === b.environmentId;

/**
 * Removes a deployment, if it is there; an older one of its pair comes into force again. Rejects with
 * `execution_history_exists`, `approval_required`, `precondition_failed`.
 */
export async function removeDeployment(
  { database, routing }: { readonly database: Knex; readonly routing: Routing },
  { actor, ref, ifMatch }: Preconditioned,
): Promise<void> {
  const changes = await inTransaction(database, async (transaction) => {
    const { workspaceId, id } = ref;
    const seen = await deployments.find(transaction, ref);
    if (seen === undefined) return [];
    // A PATCH may have moved it: then it still routes where it was.
    const routed = await environmentsRoutedBy(transaction, workspaceId, { deploymentId: id });
    for (const environmentId of [...new Set([seen.resource.environmentId, ...routed])].sort()) {
      await requireUnprotected(transaction, { workspaceId, environmentId });
    }
    const changed = await changeRoutesOfDeployment(transaction, workspaceId, id);
    const present = await deployments.find(transaction, ref, true);
    if (present === undefined) return [];
    if (!isSameTarget(seen.resource, present.resource)) throw new ChangedMeanwhile();
    requireMatch(ifMatch, present.revision);
    await requireUnexecuted(transaction, 'deployment', { workspaceId, deploymentIds: [id] });
    await deployments.delete(transaction, ref);
    await appendAuditEntries(transaction, [
      ...(await routingEntries(transaction, actor, changed)),
      deploymentEntry(actor, present.resource, { before: present.resource, after: null }),
    ]);
    return changed;
  });
  await routing.publish(changes);
}

/** The audit entry of a change of a deployment. */
export const deploymentEntry = (
  actor: Actor,
  { workspaceId, id }: ResourceRef,
  states: Pick<NewAuditEntry, 'before' | 'after'>,
): NewAuditEntry => changeEntry(actor, workspaceId, { resource: { type: 'deployment', id }, ...states });
