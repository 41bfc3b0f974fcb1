import type { Knex } from 'knex';
import { appendAuditEntries } from '../audit/audit.store.js';
import type { JobWork } from '../jobs/jobLoop.js';
import { requireHeld, type Job } from '../jobs/jobs.store.js';
import { findProtection } from '../protections/protections.store.js';
import { inTransaction } from '../storage/database.js';
import type { Encryption } from '../storage/encryption.js';
import { idToBytes } from '../storage/ids.js';
import { stateOf } from './approvals.js';
import { approvingOf } from './approvingOf.js';
import { detailsOf } from './items.store.js';
import { requireTargets } from './references.js';
import { writeRequest } from './requests.service.js';
import { heads, requireRequest } from './requests.store.js';

interface Dependencies {
  readonly database: Knex;
  readonly encryption: Encryption;
  /** How often each approved request is looked at, in milliseconds. */
  readonly everyMs: number;
}

/** In its entries of the audit trail. */
const actor = { principal: 'system:approvals', requestId: null };

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
  const stored = await requireRequest({ database: transaction, encryption }, ref);
  await requireTargets(transaction, head, detailsOf(stored.items));
  const approving = await approvingOf(transaction, stored, { protection });
  if (stateOf(approving) === 'APPROVED') return true;
  const notice = `Reviews by ${approving.lapsed.join(', ')} do not count any more, because who gave them may not review now.`;
  const opened = { state: 'OPEN', notice } as const;
  const writing = { encryption, actor, verb: 'update' } as const;
  const { entry } = await writeRequest(transaction, writing, ref, () => Promise.resolve(opened));
  await appendAuditEntries(transaction, [entry]);
  return false;
}
