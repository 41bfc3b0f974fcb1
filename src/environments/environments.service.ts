import { appendAuditEntries, changeEntry, type Actor, type NewAuditEntry, type Writer } from '../audit/audit.store.js';
import { deploymentEntry } from '../deployments/deployments.service.js';
import { listDeploymentsOf } from '../deployments/deployments.store.js';
import type { Routing } from '../deployments/routing.js';
import { routingEntries } from '../deployments/routingEntries.js';
import { Problem } from '../errors.js';
import { requireMatch } from '../http/routes/preconditions.js';
import { inTransaction } from '../storage/database.js';
import { refuseWithHistory } from '../storage/foreignKeys.js';
import type { RevisedResource } from '../storage/revisions.js';
import type { Environment } from './environments.schema.js';
import {
  deleteEnvironment,
  findEnvironment,
  insertEnvironment,
  updateEnvironment,
  type EnvironmentFields,
} from './environments.store.js';

/** One environment of a workspace. */
interface Place {
  readonly workspaceId: string;
  readonly id: string;
}

export function createEnvironment(
  { database, actor }: Writer,
  workspaceId: string,
  fields: EnvironmentFields,
): Promise<RevisedResource<Environment>> {
  return inTransaction(database, async (transaction) => {
    const made = await insertEnvironment(transaction, workspaceId, fields);
    await appendAuditEntries(transaction, [entryOf(actor, made.resource, null, made.resource)]);
    return made;
  });
}

/** Rejects with `environment_not_found`, `precondition_failed`. */
export function changeEnvironment(
  { database, actor }: Writer,
  place: Place,
  { fields, ifMatch }: { readonly fields: Partial<EnvironmentFields>; readonly ifMatch: string | undefined },
): Promise<RevisedResource<Environment>> {
  const { workspaceId, id } = place;
  return inTransaction(database, async (transaction) => {
    const present = existing(await findEnvironment(transaction, workspaceId, id, true), id);
    requireMatch(ifMatch, present.revision);
    await updateEnvironment(transaction, workspaceId, id, fields);
    const changed = existing(await findEnvironment(transaction, workspaceId, id), id);
    await appendAuditEntries(transaction, [entryOf(actor, place, present.resource, changed.resource)]);
    return changed;
  });
}

/**
 * Removes an environment with its deployments, if it is there, and announces the routes that change by it. Rejects with
 * `execution_history_exists`, `precondition_failed`.
 */
export async function removeEnvironment(
  { database, actor, routing }: Writer & { readonly routing: Routing },
  place: Place,
  ifMatch: string | undefined,
): Promise<void> {
  const { workspaceId, id } = place;
  const moves = await inTransaction(database, async (transaction) => {
    const present = await findEnvironment(transaction, workspaceId, id, true);
    if (present === undefined) return [];
    requireMatch(ifMatch, present.revision);
    const moved = await routing.moveAllOf(transaction, workspaceId, id);
    const deployments = await listDeploymentsOf(transaction, workspaceId, id);
    await deleteEnvironment(transaction, workspaceId, id).catch(refuseWithHistory('environment'));
    await appendAuditEntries(transaction, [
      ...(await routingEntries(transaction, actor, moved)),
      ...deployments.map((deployment) => deploymentEntry(actor, deployment, { before: deployment, after: null })),
      entryOf(actor, place, present.resource, null),
    ]);
    return moved;
  });
  await routing.announce(moves);
}

function entryOf(
  actor: Actor,
  { workspaceId, id }: Place,
  before: Environment | null,
  after: Environment | null,
): NewAuditEntry {
  return changeEntry(actor, workspaceId, { resource: { type: 'environment', id }, before, after });
}

function existing(stored: RevisedResource<Environment> | undefined, id: string): RevisedResource<Environment> {
  if (stored === undefined) throw environmentNotFound(id);
  return stored;
}

export const environmentNotFound = (id: string): Problem =>
  new Problem('environment_not_found', `There is no environment ${id} in this workspace.`);
