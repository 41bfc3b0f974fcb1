import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, type Writer } from '../audit/audit.store.js';
import { isProtected, requireUnprotected } from '../protections/guard.js';
import type { Writing } from '../resource/write.js';
import { inTransaction } from '../storage/database.js';
import { ChangedMeanwhile } from '../storage/mysqlErrors.js';
import type { EnvironmentRef, ResourceRef, Revised } from '../storage/resourceTable.js';
import type { Deployment } from './deployments.schema.js';
import { deployments, type DeploymentFields } from './deployments.store.js';
import { requireUnexecuted } from './executed.store.js';
import { requireReferences } from './references.js';
import { goesBack, requireRollback, rollbackEntry, type Deployed } from './rollback.js';
import { addRoute, changeRoutesOfDeployment, environmentsRoutedBy, type Routing } from './routing.js';
import { routingEntries } from './routingEntries.js';

/** Deploys, and tells within the transaction of what moves in a protected environment by it. */
export interface Deploying extends Writer {
  readonly routing: Routing;
  readonly moved: (transaction: Knex.Transaction, actor: Actor, ref: EnvironmentRef) => Promise<void>;
}

/**
 * Deploys, and routes all traffic of the pair to it. To a protected environment only a version goes back that was in force
 * there before: stopping harm never waits. Rejects with `reference_not_found`, `approval_required`.
 */
export async function createDeployment(
  { database, actor, routing, moved }: Deploying,
  workspaceId: string,
  fields: DeploymentFields,
): Promise<Revised<Deployment>> {
  const { stored, change } = await inTransaction(database, async (transaction) => {
    await requireReferences(transaction, workspaceId, fields);
    const pair = { workspaceId, environmentId: fields.environmentId, decisionId: fields.decisionId };
    const isUnapproved = await isProtected(transaction, pair);
    if (isUnapproved) await requireRollback(transaction, pair, fields.version);
    const deployed = await deploy(transaction, actor, { workspaceId, fields, isUnapproved });
    if (isUnapproved) await moved(transaction, actor, pair);
    return deployed;
  });
  await routing.publish([change]);
  return stored;
}

interface Deploy {
  readonly workspaceId: string;
  readonly fields: DeploymentFields;
  /** In a protected environment, where only what was there before comes without a request. */
  readonly isUnapproved?: boolean;
}

/** Deploys within a transaction that has checked the references, and whether it may. */
export async function deploy(
  transaction: Knex.Transaction,
  actor: Actor,
  { workspaceId, fields, isUnapproved = false }: Deploy,
): Promise<Deployed> {
  const stored = await deployments.insert(transaction, workspaceId, fields);
  const pair = { workspaceId, environmentId: fields.environmentId, decisionId: fields.decisionId };
  const route = { deploymentId: stored.id, version: fields.version };
  const isRollback = isUnapproved || (await goesBack(transaction, pair, fields.version));
  const change = await addRoute(transaction, pair, route);
  await appendAuditEntries(transaction, [
    ...(await routingEntries(transaction, actor, [change])),
    deployments.entryOf(actor, workspaceId, null, stored),
    ...(isRollback ? [rollbackEntry(actor, { stored, change })] : []),
  ]);
  return { stored, change };
}

type DeploymentWriting = Writing<ResourceRef, Revised<Deployment>>;

/**
 * Changes the deployment only, not the routing. In a protected environment it keeps what it deploys. Rejects with
 * `deployment_not_found`, `precondition_failed`, `reference_not_found`, `approval_required`.
 */
export async function changeDeployment(
  database: Knex,
  writing: DeploymentWriting,
  changes: Partial<DeploymentFields>,
): Promise<Revised<Deployment>> {
  const { ref } = writing;
  const work = async (transaction: Knex.Transaction, seen: Revised<Deployment>) => {
    const { environmentId } = changes;
    const { decisionId, version } = { ...seen, ...changes };
    // What stays as it is needs no look.
    if ((environmentId ?? changes.decisionId ?? changes.version) !== undefined) {
      if (!isSameTarget(seen, { ...seen, ...changes })) {
        await requireUnprotected(transaction, { ...ref, environmentId: seen.environmentId });
      }
      await requireReferences(transaction, ref.workspaceId, { decisionId, version, environmentId });
      if (environmentId !== undefined && environmentId !== seen.environmentId) {
        await requireUnprotected(transaction, { ...ref, environmentId });
      }
    }
    await hold(transaction, ref, seen);
    await deployments.update(transaction, ref, changes);
    return { after: await deployments.require(transaction, ref) };
  };
  const { after } = await deployments.write(database, writing, work, findUnlocked(ref));
  return after;
}

/** Whether both name the same version of the same decision in the same environment. */
const isSameTarget = (a: DeploymentFields, b: DeploymentFields): boolean =>
  a.decisionId === b.decisionId && a.version === b.version && a.environmentId === b.environmentId;

/** Environments and decisions are locked before deployments (see `requireReferences`), so one is read without a lock at first. */
const findUnlocked =
  (ref: ResourceRef) =>
  (transaction: Knex.Transaction): Promise<Revised<Deployment>> =>
    deployments.require(transaction, ref);

/** Locks the deployment. Throws `ChangedMeanwhile` where it is not what was seen before: then everything begins anew. */
async function hold(transaction: Knex.Transaction, ref: ResourceRef, seen: Revised<Deployment>): Promise<void> {
  const present = await deployments.require(transaction, ref, true);
  if (present.revision !== seen.revision) throw new ChangedMeanwhile();
}

/**
 * Removes a deployment; an older one of its pair comes into force again. Rejects with `deployment_not_found`,
 * `precondition_failed`, `approval_required`, `execution_history_exists`.
 */
export async function removeDeployment(
  { database, routing }: { readonly database: Knex; readonly routing: Routing },
  writing: DeploymentWriting,
): Promise<void> {
  const { actor, ref } = writing;
  const { workspaceId, id } = ref;
  const work = async (transaction: Knex.Transaction, seen: Revised<Deployment>) => {
    // A PATCH may have moved it: then it still routes where it was.
    const routed = await environmentsRoutedBy(transaction, workspaceId, { deploymentId: id });
    for (const environmentId of [...new Set([seen.environmentId, ...routed])].sort()) {
      await requireUnprotected(transaction, { workspaceId, environmentId });
    }
    const changed = await changeRoutesOfDeployment(transaction, workspaceId, id);
    await hold(transaction, ref, seen);
    await requireUnexecuted(transaction, 'deployment', { workspaceId, deploymentIds: [id] });
    await deployments.delete(transaction, ref);
    return { after: null, entries: await routingEntries(transaction, actor, changed), changed };
  };
  const { changed } = await deployments.write(database, writing, work, findUnlocked(ref));
  await routing.publish(changed);
}
