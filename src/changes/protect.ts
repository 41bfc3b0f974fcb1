import type { Knex } from 'knex';
import type { Actor } from '../audit/actor.js';
import type { NewAuditEntry } from '../audit/audit.store.js';
import { environments } from '../environments/environments.store.js';
import type { Protection } from '../protections/protections.schema.js';
import {
  deleteProtection,
  findProtection,
  requireProtection,
  writeProtection,
} from '../protections/protections.store.js';
import { writeResource, type Writing } from '../resource/write.js';
import type { Encryption } from '../storage/encryption.js';
import { idToBytes } from '../storage/ids.js';
import type { EnvironmentRef } from '../storage/resourceTable.js';
import { stateOf } from './approvals.js';
import { deleteChecks, insertChecks, readChecks } from './checks.store.js';
import { differencesOf } from './protectionDifferences.js';
import { approvingOf } from './interested.js';
import { requireTargets } from './references.js';
import { requestEntry, type ChangeWriter } from './requests.service.js';
import { lockOpenOf, requireRequest, updateHead, type Head } from './requests.store.js';
import { digestOf } from './subject.js';
import { isSameTask, tasksOf } from './tasks.js';

/**
 * Protects an environment, otherwise, or no more. Reviews of its open requests, whose digests change by it, do not count
 * any more. Rejects with `environment_not_found`, `precondition_failed`, and with `protection_not_found` where there is none
 * to be removed.
 * @param wanted in place of the present one; null removes it
 */
export async function changeProtection(
  { database, encryption }: Omit<ChangeWriter, 'actor'>,
  writing: Writing<EnvironmentRef, Protection>,
  wanted: Protection | null,
): Promise<void> {
  const { actor, ref } = writing;
  const { workspaceId, environmentId } = ref;
  const find = async (transaction: Knex.Transaction): Promise<Protection | undefined> => {
    // As whoever writes decisions does: an import sees the protection, or the protection comes after it.
    await transaction('workspaces').select('id').where('id', idToBytes(workspaceId)).forUpdate();
    await environments.require(transaction, { workspaceId, id: environmentId }, true);
    return wanted === null ? requireProtection(transaction, ref) : findProtection(transaction, ref);
  };
  const written = { database, workspaceId, resource: { type: 'protection', id: environmentId }, find };
  await writeResource(written, writing, async (transaction, present) => {
    if (present !== undefined && JSON.stringify(present) === JSON.stringify(wanted)) return { after: present };
    if (wanted === null) await deleteProtection(transaction, ref);
    else await writeProtection(transaction, ref, wanted);
    const entries: NewAuditEntry[] = [];
    for (const head of await lockOpenOf(transaction, environmentId)) {
      const states = { before: present ?? null, after: wanted };
      entries.push(await refresh(transaction, { encryption, actor }, { head, ...states }));
    }
    return { after: wanted, entries };
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
