import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import { appendAuditEntries, changeEntry, type NewAuditEntry } from '../audit/audit.store.js';
import { environments } from '../environments/environments.store.js';
import type { Protection } from '../protections/protections.schema.js';
import { deleteProtection, findProtection, writeProtection } from '../protections/protections.store.js';
import { inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idToBytes } from '../storage/ids.js';
import type { ResourceRef } from '../storage/resourceTable.js';
import { stateOf } from './approvals.js';
import { deleteChecks, insertChecks, readChecks } from './checks.store.js';
import { differencesOf } from './protectionDifferences.js';
import { approvingOf } from './interested.js';
import { requireTargets } from './references.js';
import { requestEntry, type ChangeWriter } from './requests.service.js';
import { lockOpenOf, requireRequest, updateHead, type Head } from './requests.store.js';
import { digestOf } from './subject.js';
import { isSameTask, tasksOf } from './tasks.js';

/** A protection in place of the present one; null removes it. */
export interface ProtectionChange {
  readonly protection: Protection | null;
  /** Refuses by throwing. */
  readonly precondition: (present: Protection | undefined) => void;
}

/**
 * Protects an environment, otherwise, or no more. Reviews of its open requests, whose digests change by it, do not count
 * any more. Rejects with `environment_not_found`.
 */
export function changeProtection(
  { database, encryption, actor }: ChangeWriter,
  ref: ResourceRef,
  { protection, precondition }: ProtectionChange,
): Promise<void> {
  const { workspaceId, id: environmentId } = ref;
  return inTransaction(database, async (transaction) => {
    // As whoever writes decisions does: an import sees the protection, or the protection comes after it.
    await transaction('workspaces').select('id').where('id', idToBytes(workspaceId)).forUpdate();
    environments.present(await environments.find(transaction, ref, true), ref);
    const before = (await findProtection(transaction, { workspaceId, environmentId })) ?? null;
    precondition(before ?? undefined);
    if (JSON.stringify(before) === JSON.stringify(protection)) return;
    if (protection === null) await deleteProtection(transaction, { workspaceId, environmentId });
    else await writeProtection(transaction, { workspaceId, environmentId }, protection);
    const entries: NewAuditEntry[] = [];
    for (const head of await lockOpenOf(transaction, environmentId)) {
      entries.push(await refresh(transaction, { encryption, actor }, { head, before, after: protection }));
    }
    const resource = { type: 'protection', id: environmentId };
    await appendAuditEntries(transaction, [
      ...entries,
      changeEntry(actor, workspaceId, { resource, before, after: protection }),
    ]);
  });
}

interface Refreshed {
  readonly head: Head;
  readonly before: Protection | null;
  readonly after: Protection | null;
}

/** Gives a request the digest, the state and the checks that it has under the new protection. */
async function refresh(
  transaction: Knex.Transaction,
  { encryption, actor }: { readonly encryption: Encryption; readonly actor: Actor },
  { head, before, after }: Refreshed,
): Promise<NewAuditEntry> {
  const reading = { database: transaction, encryption };
  const { items, resource } = await requireRequest(reading, head);
  const targets = await requireTargets(transaction, { ...head, items });
  const digest = await digestOf(reading, { ...head, items, protection: after });
  const { reviews } = resource;
  const state =
    after === null
      ? 'OPEN'
      : stateOf(await approvingOf(transaction, { head, targets, reviews, digest, protection: after }));
  const stale = reviews.filter((review) => review.verdict !== 'comment' && review.digest !== digest).length;
  const notice = stale === 0 ? null : noticeOf(stale, differencesOf(before, after));
  await updateHead(transaction, head, { digest: Buffer.from(digest, 'hex'), state, notice });
  if (after !== null) {
    const wanted = tasksOf(after, targets);
    const present = (await readChecks(transaction, head.workspaceId, [head.id])).get(head.id) ?? [];
    const gone = present.filter((check) => !wanted.some((task) => isSameTask(task, check)));
    await deleteChecks(
      transaction,
      gone.map(({ id }) => id),
    );
    const added = wanted.filter((task) => !present.some((check) => isSameTask(task, check)));
    await insertChecks(transaction, head, added);
  }
  const changed = await requireRequest(reading, head);
  return requestEntry(actor, 'update', { before: resource, after: changed.resource });
}

const noticeOf = (reviews: number, differences: string): string =>
  `${reviews === 1 ? '1 review does' : `${reviews} reviews do`} not count any more, because the protection changed: ${differences}.`;
