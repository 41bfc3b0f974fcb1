import type { Knex } from 'knex';
import { appendAuditEntries, type Writer } from '../audit/audit.store.js';
import { Problem } from '../errors.js';
import { entityTag, requireMatch } from '../api/preconditions.js';
import type { Protection } from '../protections/protections.schema.js';
import { findProtection } from '../protections/protections.store.js';
import { inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idToBytes, newId } from '../storage/ids.js';
import type { ResourceRef } from '../storage/resourceTable.js';
import { stateOf } from './approvals.js';
import type { CreateChangeRequest, CreateReview } from './changes.schema.js';
import { endChecks, insertChecks } from './checks.store.js';
import { watchApproval } from './approvalJobs.js';
import { approvingOf } from './approvingOf.js';
import { insertItems, newItems, noteReplaced, releaseItems } from './items.store.js';
import type { ReadChange } from './readChanges.js';
import { requireTargets } from './references.js';
import { readReplaced } from './replaced.js';
import { requestEntry } from './requestEntry.js';
import { heads, isOpen, openStates, requireRequest, type Head, type StoredRequest, newHead } from './requests.store.js';
import { insertReview, readReviews } from './reviews.store.js';
import { digestOf } from './subject.js';
import { tasksOf } from './tasksOf.js';

/** Who writes change requests. */
export type ChangeWriter = Writer & { readonly encryption: Encryption };

/** Most requests of an environment that can still be applied, and most reviews of a request. */
const maxOpen = 100;
const maxReviews = 100;

/**
 * Opens a request, whose checks then run in the background. Rejects with `reference_not_found`, `not_protected`,
 * `too_many_requests`.
 */
export function createRequest(
  { database, encryption, actor }: ChangeWriter,
  workspaceId: string,
  { body, changes }: { readonly body: CreateChangeRequest; readonly changes: readonly ReadChange[] },
): Promise<StoredRequest> {
  const ref = { workspaceId, id: newId() };
  const environmentId = body.environmentId.toLowerCase();
  return inTransaction(database, async (transaction) => {
    const items = newItems(encryption, ref.id, changes);
    const targets = await requireTargets(transaction, { workspaceId, environmentId, items });
    const protection = await requireProtection(transaction, { workspaceId, environmentId });
    await requireRoom(transaction, environmentId);
    const reading = { database: transaction, encryption };
    const replaced = await readReplaced(reading, { workspaceId, environmentId }, changes);
    const digest = await digestOf(reading, { workspaceId, environmentId, items, replaced, protection });
    await heads.insert(transaction, workspaceId, {
      ...newHead,
      ...{ id: ref.id, environmentId },
      title: body.title.trim(),
      message: body.message === '' ? null : (body.message ?? null),
      author: actor.principal.slice(0, 255),
      digest,
    });
    await insertItems(transaction, workspaceId, items);
    await noteReplaced(transaction, encryption, items, replaced);
    await insertChecks(transaction, ref, tasksOf(protection, targets));
    const made = await requireRequest(reading, ref);
    await appendAuditEntries(transaction, [requestEntry(actor, 'create', { before: null, after: made.resource })]);
    return made;
  });
}

/** @throws Problem `not_protected` */
export async function requireProtection(
  transaction: Knex.Transaction,
  ref: { readonly workspaceId: string; readonly environmentId: string },
): Promise<Protection> {
  const protection = await findProtection(transaction, ref);
  if (protection !== undefined) return protection;
  throw new Problem(
    'not_protected',
    `The environment ${ref.environmentId} is not protected: change it directly, or protect it first.`,
  );
}

async function requireRoom(transaction: Knex.Transaction, environmentId: string): Promise<void> {
  const open = (await transaction('change_requests')
    .select('id')
    .where('environment_id', idToBytes(environmentId))
    .whereIn('state', openStates)
    .limit(maxOpen)) as unknown[];
  if (open.length < maxOpen) return;
  throw new Problem('too_many_requests', `${maxOpen} change requests of this environment are open; close some first.`, {
    retryAfter: 60,
  });
}

/**
 * Locks a request, after its environment, whose protection thereby stays as it is.
 * @param lock of the environment: exclusive for whoever changes what is in force there
 * @throws Problem `change_request_not_found`, `change_request_ended`
 */
export async function lockOpen(
  transaction: Knex.Transaction,
  ref: ResourceRef,
  lock: 'shared' | 'exclusive' = 'shared',
): Promise<Head> {
  const { environmentId } = await heads.require(transaction, ref);
  const environment = transaction('environments').select('id').where('id', idToBytes(environmentId));
  void (lock === 'shared' ? environment.forShare() : environment.forUpdate());
  await environment;
  const head = await heads.require(transaction, ref, true);
  if (isOpen(head)) return head;
  throw new Problem('change_request_ended', `The change request is ${head.state}; open another one.`);
}

/**
 * Notes what somebody says of a request. Rejects with `change_request_not_found`, `change_request_ended`,
 * `precondition_failed` where another digest was seen, `too_many_requests`.
 */
export function reviewRequest(
  { database, encryption, actor }: ChangeWriter,
  ref: ResourceRef,
  review: CreateReview,
): Promise<StoredRequest> {
  const reading = (transaction: Knex.Transaction) => ({ database: transaction, encryption });
  return inTransaction(database, async (transaction) => {
    const head = await lockOpen(transaction, ref);
    const protection = await requireProtection(transaction, head);
    const before = await requireRequest(reading(transaction), ref);
    if (review.digest !== head.digest) {
      throw new Problem('precondition_failed', 'What was seen is not what would be in force now; look at it again.');
    }
    if (before.resource.reviews.length >= maxReviews) {
      throw new Problem('too_many_requests', `A change request has at most ${maxReviews} reviews.`, { retryAfter: 60 });
    }
    const { verdict, digest } = review;
    const message = review.message === '' ? null : (review.message ?? null);
    const principal = actor.principal.slice(0, 255);
    await insertReview(transaction, ref, { principal, verdict, digest, message });
    const { items } = before;
    await requireTargets(transaction, { ...head, items });
    const reviews = (await readReviews(transaction, ref.workspaceId, [ref.id])).get(ref.id) ?? [];
    const state = stateOf(await approvingOf(transaction, { head, items, reviews, digest, protection }));
    await heads.update(transaction, ref, { state });
    await watchApproval(transaction, ref, state);
    if (state === 'REJECTED') await end(transaction, ref);
    const after = await requireRequest(reading(transaction), ref);
    const states = { before: before.resource, after: after.resource };
    await appendAuditEntries(transaction, [requestEntry(actor, verdict, states)]);
    return after;
  });
}

/** Ends a request that is not wanted any more. Rejects as `lockOpen` does, and with `precondition_failed`. */
export function closeRequest(
  { database, encryption, actor }: ChangeWriter,
  ref: ResourceRef,
  ifMatch: string | undefined,
): Promise<StoredRequest> {
  return inTransaction(database, async (transaction) => {
    const { revision } = await lockOpen(transaction, ref);
    requireMatch(ifMatch, entityTag(revision));
    const reading = { database: transaction, encryption };
    const before = await requireRequest(reading, ref);
    await heads.update(transaction, ref, { state: 'CLOSED' });
    await end(transaction, ref);
    const after = await requireRequest(reading, ref);
    const states = { before: before.resource, after: after.resource };
    await appendAuditEntries(transaction, [requestEntry(actor, 'close', states)]);
    return after;
  });
}

/** What an ended request does not need any more. */
export async function end(transaction: Knex.Transaction, ref: ResourceRef): Promise<void> {
  await releaseItems(transaction, ref.id);
  await endChecks(transaction, ref);
}
