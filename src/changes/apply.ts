import type { Knex } from 'knex';
import { parseExactly } from '../../workers/json/index.js';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries } from '../audit/audit.store.js';
import { deploy } from '../deployments/deployments.service.js';
import type { Routing, RoutingChange } from '../deployments/routing.js';
import type { Configurations } from '../environments/configurations.js';
import { replaceHosts, takeRevision } from '../environments/hosts.store.js';
import { removeVariable, writeVariable } from '../environments/variables.store.js';
import { Problem } from '../errors.js';
import type { Protection } from '../protections/protections.schema.js';
import { inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import type { ResourceRef } from '../storage/resourceTable.js';
import { approvalsOf } from './approvals.js';
import { detailsOf, noteDeployment, valueOf, type Item } from './items.store.js';
import { approvingOf } from './approvingOf.js';
import { refreshAfterMove } from './refresh.js';
import { requireTargets } from './references.js';
import { readReplaced } from './replaced.js';
import { lockOpen, requireProtection, writeRequest, type ChangeWriter } from './requests.service.js';
import { requireRequest, type Head, type StoredRequest } from './requests.store.js';
import { digestOf } from './subject.js';

interface Applying extends ChangeWriter {
  readonly routing: Routing;
  readonly configurations: Pick<Configurations, 'publish'>;
}

/** Applies a request although approvals or checks are missing. The principal who does so takes the responsibility and says why. */
interface Override {
  readonly reason: string;
}

/**
 * Brings a request into force: in one transaction that checks everything again under locks and writes all of it, or
 * nothing. Rejects with `change_request_not_found`, `change_request_ended`, `not_protected`, `reference_not_found`, and
 * `approval_required` with what is missing.
 */
export async function applyRequest(
  { routing, configurations, ...writer }: Applying,
  ref: ResourceRef,
  override: Override | undefined,
): Promise<StoredRequest> {
  const { database, encryption, actor } = writer;
  const { applied, changes, revision } = await inTransaction(database, async (transaction) => {
    const seen = await requireRequest({ database: transaction, encryption }, ref);
    const { workspaceId, environmentId } = seen.head;
    // First of all locks, as whoever writes the configuration takes it. Executions that are recorded meanwhile wait.
    const revision = seen.items.some(({ detail }) => detail.type !== 'deploy')
      ? await takeRevision(transaction, { workspaceId, environmentId })
      : null;
    const head = await lockOpen(transaction, ref, 'exclusive');
    const protection = await requireProtection(transaction, head);
    let changes: RoutingChange[] = [];
    const writing = { encryption, actor, verb: override === undefined ? 'apply' : 'override' } as const;
    const { stored, entry } = await writeRequest(transaction, writing, ref, async (before) => {
      await requireApproved(transaction, { encryption, stored: before, protection, override });
      changes = await write(transaction, { encryption, actor }, { head, items: before.items, revision });
      const [appliedBy, appliedAt] = [actor.principal.slice(0, 255), new Date().toISOString()];
      return { state: 'APPLIED', appliedBy, appliedAt };
    });
    await refreshAfterMove(transaction, { encryption, actor }, head);
    await appendAuditEntries(transaction, [
      override === undefined ? entry : { ...entry, after: { ...entry.after, override } },
    ]);
    return { applied: stored, changes, revision };
  });
  await routing.publish(changes);
  if (revision !== null) await configurations.publish(applied.head, revision);
  return applied;
}

interface Approval {
  readonly encryption: Encryption;
  readonly stored: StoredRequest;
  readonly protection: Protection;
  readonly override: Override | undefined;
}

/** @throws Problem `approval_required`, `reference_not_found` */
async function requireApproved(
  transaction: Knex.Transaction,
  { encryption, stored, protection, override }: Approval,
): Promise<void> {
  const { head, items, resource } = stored;
  await requireTargets(transaction, head, detailsOf(items));
  const reading = { database: transaction, encryption };
  const replaced = await readReplaced(reading, head, detailsOf(items));
  const digest = await digestOf(reading, { ...head, items, replaced, protection });
  const missing: string[] = [];
  if (override !== undefined) {
    if (!protection.override) missing.push('the protection allows no override');
  } else {
    const judged = { protection, digest, replaced: replaced.map(({ shown }) => shown) };
    const approvals = approvalsOf(await approvingOf(transaction, stored, judged));
    if (approvals < protection.approvals) missing.push(`${approvals} of ${protection.approvals} approvals`);
    for (const { name, state } of resource.checks) if (state !== 'PASSED') missing.push(`${name}: ${state}`);
  }
  if (digest !== head.digest)
    missing.push('what would be in force, or what it replaces, is not what the request shows');
  if (missing.length === 0) return;
  throw new Problem('approval_required', `The change request cannot be applied yet: ${missing.join('; ')}.`);
}

interface Written {
  readonly head: Head;
  readonly items: readonly Item[];
  readonly revision: number | null;
}

/** Writes what the items say; gives the routes that change by it. */
async function write(
  transaction: Knex.Transaction,
  { encryption, actor }: { readonly encryption: Encryption; readonly actor: Actor },
  { head, items, revision }: Written,
): Promise<RoutingChange[]> {
  const { workspaceId, environmentId } = head;
  const ref = { workspaceId, environmentId };
  const within = { database: transaction, encryption, actor };
  for (const item of items) {
    const { detail } = item;
    if (detail.type === 'hosts') await replaceHosts(transaction, actor, ref, detail.hosts);
    if (revision === null || !('name' in detail)) continue;
    if (detail.type === 'variable.delete') await removeVariable(within, ref, { name: detail.name, revision });
    else await writeVariable(within, ref, { ...detail, value: parseExactly(valueOf(encryption, item).json), revision });
  }
  const changes: RoutingChange[] = [];
  for (const { item, decisionId, version } of deploymentsOf(items)) {
    const { title: name, message } = head;
    const fields = { decisionId, version, environmentId, name, message, deployedBy: actor.principal.slice(0, 255) };
    const { stored, change } = await deploy(transaction, actor, { workspaceId, fields });
    await noteDeployment(transaction, item, stored.id);
    changes.push(change);
  }
  return changes;
}

/** Routing heads are locked in one order, whatever the order of the request. */
const deploymentsOf = (items: readonly Item[]) =>
  items
    .flatMap((item) => (item.detail.type === 'deploy' ? { ...item.detail, item } : []))
    .sort((a, b) => (a.decisionId < b.decisionId ? -1 : 1));
