import { appendAuditEntries, changeEntry, type Actor, type NewAuditEntry, type Writer } from '../audit/audit.store.js';
import { Problem } from '../errors.js';
import { requireMatch } from '../http/routes/preconditions.js';
import { inTransaction } from '../storage/database.js';
import { refuseWithHistory } from '../storage/foreignKeys.js';
import type { RevisedResource } from '../storage/revisions.js';
import type { Deployment } from './deployments.schema.js';
import {
  deleteDeployment,
  findDeployment,
  insertDeployment,
  updateDeployment,
  type DeploymentFields,
} from './deployments.store.js';
import { holdDeployment, requireReferences } from './references.js';
import type { Routing } from './routing.js';
import { routingEntries } from './routingEntries.js';

/** One deployment of a workspace. */
interface Place {
  readonly workspaceId: string;
  readonly id: string;
}

type RoutingWriter = Writer & { readonly routing: Routing };

/** Deploys, and routes all traffic of the pair to it. Rejects with `reference_not_found`. */
export async function createDeployment(
  { database, actor, routing }: RoutingWriter,
  workspaceId: string,
  fields: DeploymentFields,
): Promise<RevisedResource<Deployment>> {
  const { stored, move } = await inTransaction(database, async (transaction) => {
    await requireReferences(transaction, workspaceId, fields);
    const stored = await insertDeployment(transaction, workspaceId, fields);
    const pair = { workspaceId, environmentId: fields.environmentId, decisionId: fields.decisionId };
    const route = { deploymentId: stored.resource.id, version: fields.version };
    const move = await routing.add(transaction, pair, route);
    await appendAuditEntries(transaction, [
      ...(await routingEntries(transaction, actor, [move])),
      deploymentEntry(actor, stored.resource, { before: null, after: stored.resource }),
    ]);
    return { stored, move };
  });
  await routing.announce([move]);
  return stored;
}

/**
 * Changes the deployment only, not the routing. Rejects with `deployment_not_found`, `reference_not_found`,
 * `precondition_failed`.
 */
export function changeDeployment(
  { database, actor }: Writer,
  { workspaceId, id }: Place,
  { changes, ifMatch }: { readonly changes: Partial<DeploymentFields>; readonly ifMatch: string | undefined },
): Promise<RevisedResource<Deployment>> {
  return inTransaction(database, async (transaction) => {
    const present = existing(await holdDeployment(transaction, workspaceId, id, changes.environmentId), id);
    requireMatch(ifMatch, present.revision);
    const fields = { ...present.resource, ...changes };
    await requireReferences(transaction, workspaceId, fields);
    await updateDeployment(transaction, workspaceId, id, fields);
    const changed = existing(await findDeployment(transaction, workspaceId, id), id);
    await appendAuditEntries(transaction, [
      deploymentEntry(actor, changed.resource, { before: present.resource, after: changed.resource }),
    ]);
    return changed;
  });
}

/**
 * Removes a deployment, if it is there; an older one of its pair comes into force again. Rejects with
 * `execution_history_exists`, `precondition_failed`.
 */
export async function removeDeployment(
  { database, actor, routing }: RoutingWriter,
  { workspaceId, id }: Place,
  ifMatch: string | undefined,
): Promise<void> {
  const moves = await inTransaction(database, async (transaction) => {
    const present = await holdDeployment(transaction, workspaceId, id);
    if (present === undefined) return [];
    requireMatch(ifMatch, present.revision);
    const moved = await routing.moveDeployment(transaction, workspaceId, id);
    await deleteDeployment(transaction, workspaceId, id).catch(refuseWithHistory('deployment'));
    await appendAuditEntries(transaction, [
      ...(await routingEntries(transaction, actor, moved)),
      deploymentEntry(actor, present.resource, { before: present.resource, after: null }),
    ]);
    return moved;
  });
  await routing.announce(moves);
}

/** The audit entry of a change of a deployment. */
export const deploymentEntry = (
  actor: Actor,
  { workspaceId, id }: Place,
  states: Pick<NewAuditEntry, 'before' | 'after'>,
): NewAuditEntry => changeEntry(actor, workspaceId, { resource: { type: 'deployment', id }, ...states });

function existing(stored: RevisedResource<Deployment> | undefined, id: string): RevisedResource<Deployment> {
  if (stored === undefined) throw deploymentNotFound(id);
  return stored;
}

export const deploymentNotFound = (id: string): Problem =>
  new Problem('deployment_not_found', `There is no deployment ${id} in this workspace.`);
