import type { Knex } from 'knex';
import { appendAuditEntries, type NewAuditEntry, type Writer } from '../audit/audit.store.js';
import { Problem } from '../errors.js';
import { queueJobs } from '../jobs/jobs.store.js';
import { entityTag, requireMatch } from '../api/preconditions.js';
import type { Protection } from '../protections/protections.schema.js';
import { findProtection } from '../protections/protections.store.js';
import { countHeld } from '../resource/write.js';
import { inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idToBytes, newId } from '../storage/ids.js';
import { inPages } from '../storage/pages.js';
import type { EnvironmentRef, ResourceRef } from '../storage/resourceTable.js';
import { stateOf } from './approvals.js';
import type { CreateChangeRequest, CreateReview } from './changes.schema.js';
import { endChecks, insertChecks } from './checks.store.js';
import { approvingOf } from './approvingOf.js';
import { detailsOf, insertItems, newItems, releaseItems } from './items.store.js';
import type { ReadChange } from './readChanges.js';
import { requireTargets } from './references.js';
import { readReplaced } from './replaced.js';
import { requestEntry, type RequestVerb } from './requestEntry.js';
import {
  heads,
  isOpen,
  openStates,
  readWhole,
  requireRequest,
  type Head,
  type StoredRequest,
  newHead,
} from './requests.store.js';
import { insertReview } from './reviews.store.js';
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
  const place = { workspaceId, environmentId };
  return inTransaction(database, async (transaction) => {
    await requireRoom(transaction, place);
    const targets = await requireTargets(transaction, place, changes);
    const protection = await requireProtection(transaction, place);
    const reading = { database: transaction, encryption };
    const replaced = await readReplaced(reading, place, changes);
    const items = newItems(encryption, ref.id, changes, replaced);
    const digest = await digestOf(reading, { ...place, items, replaced, protection });
    await heads.insert(transaction, workspaceId, {
      ...newHead,
      ...{ id: ref.id, environmentId },
      title: body.title.trim(),
      message: body.message === '' ? null : (body.message ?? null),
      author: actor.principal.slice(0, 255),
      digest,
    });
    await insertItems(transaction, workspaceId, items);
    await insertChecks(transaction, ref, tasksOf(protection, targets));
    const made = await requireRequest(reading, ref);
    await appendAuditEntries(transaction, [requestEntry(actor, 'create', { before: null, after: made.resource })]);
    return made;
  });
}

/** @throws Problem `not_protected` */
export async function requireProtection(transaction: Knex.Transaction, ref: EnvironmentRef): Promise<Protection> {
  const protection = await findProtection(transaction, ref);
  if (protection !== undefined) return protection;
  throw new Problem(
    'not_protected',
    `The environment ${ref.environmentId} is not protected: change it directly, or protect it first.`,
  );
}

async function requireRoom(
  transaction: Knex.Transaction,
  { workspaceId, environmentId }: EnvironmentRef,
): Promise<void> {
  const open = transaction('change_requests')
    .where('environment_id', idToBytes(environmentId))
    .whereIn('state', openStates);
  if ((await countHeld(transaction, workspaceId, open)) < maxOpen) return;
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
  { verdict, digest, message = null }: CreateReview,
): Promise<StoredRequest> {
  return inTransaction(database, async (transaction) => {
    const head = await lockOpen(transaction, ref);
    const protection = await requireProtection(transaction, head);
    const { stored, entry } = await writeRequest(
      transaction,
      { encryption, actor, verb: verdict },
      ref,
      async (before) => {
        const { items, resource } = before;
        if (digest !== head.digest) {
          throw new Problem(
            'precondition_failed',
            'What was seen is not what would be in force now; look at it again.',
          );
        }
        if (resource.reviews.length >= maxReviews) {
          const detail = `A change request has at most ${maxReviews} reviews.`;
          throw new Problem('too_many_requests', detail, { retryAfter: 60 });
        }
        const principal = actor.principal.slice(0, 255);
        const review = { principal, verdict, digest, message: message === '' ? null : message };
        const reviews = [...resource.reviews, await insertReview(transaction, ref, review)];
        await requireTargets(transaction, head, detailsOf(items));
        return { state: stateOf(await approvingOf(transaction, before, { protection, reviews })) };
      },
    );
    await appendAuditEntries(transaction, [entry]);
    return stored;
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
    const writing = { encryption, actor, verb: 'close' } as const;
    const { stored, entry } = await writeRequest(transaction, writing, ref, () => Promise.resolve({ state: 'CLOSED' }));
    await appendAuditEntries(transaction, [entry]);
    return stored;
  });
}

/** Requests that are in memory at once while their removal is written down: each may have a megabyte of values. */
const toldAtOnce = 10;

/** Writes down that an environment's requests, those that have ended too, are removed with it. */
export async function tellRequestsRemoved(
  { database, encryption, actor }: Omit<ChangeWriter, 'database'> & { readonly database: Knex.Transaction },
  { workspaceId, environmentId }: EnvironmentRef,
): Promise<void> {
  const rows = heads.rows(database, workspaceId).where('environment_id', idToBytes(environmentId));
  for await (const page of inPages<{ readonly id: Buffer }>(rows, toldAtOnce)) {
    const removed = await readWhole({ database, encryption }, workspaceId, page.map(heads.map));
    await appendAuditEntries(
      database,
      removed.map(({ resource }) => requestEntry(actor, 'delete', { before: resource, after: null })),
    );
  }
}

interface RequestWriting extends Omit<ChangeWriter, 'database'> {
  readonly verb: RequestVerb;
}

/**
 * Writes fields of a request whose row is held, and what follows from its new state: an approved one is looked at again, until it has
 * ended; what has ended holds nothing, and none of its checks is begun.
 * @param work does what else is to be done, and gives the fields
 * @returns also the entry of the audit trail, which is to be appended
 */
export async function writeRequest(
  transaction: Knex.Transaction,
  { encryption, actor, verb }: RequestWriting,
  ref: ResourceRef,
  work: (before: StoredRequest) => Promise<Partial<Head>>,
): Promise<{ readonly stored: StoredRequest; readonly entry: NewAuditEntry }> {
  const reading = { database: transaction, encryption };
  const before = await requireRequest(reading, ref);
  const fields = await work(before);
  await heads.update(transaction, ref, fields);
  if (fields.state === 'APPROVED') await queueJobs(transaction, [{ kind: 'approval', ...ref }]);
  else if (!isOpen({ ...before.head, ...fields })) {
    await releaseItems(transaction, ref.id);
    await endChecks(transaction, ref);
  }
  const stored = await requireRequest(reading, ref);
  return { stored, entry: requestEntry(actor, verb, { before: before.resource, after: stored.resource }) };
}
