import type { Knex } from 'knex';
import { appendAuditEntries } from '../audit/audit.store.js';
import type { JobWork } from '../jobs/jobLoop.js';
import { queueJobs, requireHeld, type Job } from '../jobs/jobs.store.js';
import { findProtection } from '../protections/protections.store.js';
import { inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idToBytes } from '../storage/ids.js';
import type { ResourceRef } from '../storage/resourceTable.js';
import { stateOf } from './approvals.js';
import { approvingOf } from './approvingOf.js';
import { requireTargets } from './references.js';
import { requestEntry } from './requestEntry.js';
import { heads, requireRequest, type State } from './requests.store.js';

interface Dependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
  /** How often each approved request is looked at, in milliseconds. */
  readonly everyMs: number;
}

/** In its entries of the audit trail. */
const actor = { principal: 'system:approvals', requestId: null };

/** Has an approved request looked at again, until it has ended: who approved it may lose the right. */
export async function watchApproval(transaction: Knex.Transaction, ref: ResourceRef, state: State): Promise<void> {
  if (state === 'APPROVED')
    await queueJobs(transaction, [{ kind: 'approval', workspaceId: ref.workspaceId, id: ref.id }]);
}

/**
 * Opens approved requests again that lack approvals, since clients which gave them are gone or may not review any more. No write
 * of a request tells of that: clients are written, and end by themselves, in many ways. Applying looks by itself.
 */
export function approvalJobs({ database, encryption, everyMs }: Dependencies): JobWork {
  return {
    ...{ kind: 'approval', atOnce: 1 },
    work: (job) =>
      inTransaction(database, async (transaction) => {
        const goesOn = await isApproved(transaction, encryption, job);
        // Whoever reviews holds the request before its job.
        await requireHeld(transaction, job);
        return goesOn ? everyMs : null;
      }),
  };
}

/** Opens it where it is approved no more. */
async function isApproved(
  transaction: Knex.Transaction,
  encryption: Encryption,
  { workspaceId, id }: Job,
): Promise<boolean> {
  const ref = { workspaceId, id };
  const found = await heads.find(transaction, ref);
  if (found === undefined) return false;
  const { environmentId } = found;
  await transaction('environments').select('id').where('id', idToBytes(environmentId)).forShare();
  const head = await heads.find(transaction, ref, true);
  const protection = await findProtection(transaction, { workspaceId, environmentId });
  if (head?.state !== 'APPROVED' || protection === undefined) return false;
  const reading = { database: transaction, encryption };
  const { items, resource } = await requireRequest(reading, ref);
  await requireTargets(transaction, { ...head, items });
  const { digest, reviews } = resource;
  const approving = await approvingOf(transaction, { head, items, reviews, digest, protection });
  if (stateOf(approving) === 'APPROVED') return true;
  const notice = `Reviews by ${approving.lapsed.join(', ')} do not count any more, because who gave them may not review now.`;
  await heads.update(transaction, ref, { state: 'OPEN', notice });
  const { resource: after } = await requireRequest(reading, ref);
  await appendAuditEntries(transaction, [requestEntry(actor, 'update', { before: resource, after })]);
  return false;
}
