import type { Knex } from 'knex';
import { appendAuditEntries } from '../audit/audit.store.js';
import { rewriteReports } from '../changes/checks.store.js';
import { growTree, type GrowthDependencies } from '../evidence/grow.js';
import type { Records } from '../evidence/records.js';
import { fitting } from '../evidence/subjects.store.js';
import { eraseSalts, withLeaf } from '../evidence/leaves.store.js';
import type { ByteBudget } from '../http/body/byteBudget.js';
import { eraseMeasures } from '../measures/erase.js';
import { eraseReplays } from '../replays/erase.store.js';
import { createIsErased, withoutErased } from '../replays/eraseValues.js';
import { eraseOutcomes } from '../replays/outcomes/outcomes.store.js';
import { eraseExecutions } from '../runs/erase.store.js';
import { findWholeExecutions } from '../runs/history.store.js';
import { inTransaction } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { noteErased, type ClaimedErasure } from './erasures.store.js';

export interface EraseDependencies extends GrowthDependencies {
  readonly records: Records;
  readonly budget: Pick<ByteBudget, 'reserve'>;
}

/** Bytes of facts and results that are read at once. */
const pieceBytes = 1024 * 1024;

/**
 * Erases the first of the executions, as many as are read at once, and all that is kept of each in one transaction: whatever
 * ends the process leaves an execution as it was, or erased.
 * @param ids few, ascending
 * @returns the last of those that were erased
 */
export async function eraseSome(
  parts: EraseDependencies,
  erasure: ClaimedErasure,
  ids: readonly string[],
): Promise<string | undefined> {
  const { database, budget } = parts;
  const { workspaceId } = erasure;
  const request = { workspaceId, ids: ids.map(idToBytes), maxBytes: pieceBytes };
  const fit = await fitting(database, 'execution', request);
  // What else is kept of those without a record is erased as well.
  const last = fit.ids.at(-1);
  const some = fit.isWhole || last === undefined ? ids : ids.slice(0, ids.indexOf(idFromBytes(last)) + 1);
  const reservation = budget.reserve(workspaceId, 8 * fit.bytes);
  try {
    await giveLeaves(parts, workspaceId, some);
    await inTransaction(database, (transaction) => eraseIn(transaction, erasure, some));
  } finally {
    reservation.release();
  }
  return some.at(-1);
}

/** What has no leaf yet gets one, so that the tree says of everything that was erased what it was the hash of. */
async function giveLeaves(parts: EraseDependencies, workspaceId: string, ids: readonly string[]): Promise<void> {
  for (let isDone = false; !isDone;) {
    const withLeaves = await withLeaf(parts.database, workspaceId, ids);
    const without = ids.filter((id) => !withLeaves.has(id)).map(idToBytes);
    const records = await parts.records.read('execution', workspaceId, without);
    // Where the sequencer was first with any of them, nothing was written.
    isDone = records.length === 0 || (await growTree(parts, { kind: 'execution', workspaceId, records }));
  }
}

async function eraseIn(transaction: Knex.Transaction, erasure: ClaimedErasure, ids: readonly string[]): Promise<void> {
  const { workspaceId, actor } = erasure;
  const erased = await eraseSalts(transaction, workspaceId, ids);
  const executions = await findWholeExecutions(transaction, workspaceId, erased.map(idToBytes));
  await eraseMeasures(transaction, executions);
  const texts = executions.flatMap(({ fact, result, error }) => [fact ?? 'null', result, error ?? 'null']);
  const isErased = createIsErased({ executions: erasure.erased + erased.length, texts });
  const decisionIds = new Set(executions.map(({ decisionId }) => decisionId));
  await eraseReplays(transaction, { workspaceId, ids, decisionIds, isErased });
  await rewriteReports(transaction, { workspaceId, decisionIds: [...decisionIds] }, (report) =>
    withoutErased(report, isErased),
  );
  const subjects = ids.map((executionId) => ({ executionId }));
  await eraseOutcomes(transaction, workspaceId, subjects);
  await eraseExecutions(transaction, workspaceId, ids);
  await appendAuditEntries(
    transaction,
    erased.map((id) => ({
      ...{ actor, workspaceId, action: 'execution.erase', resource: { type: 'execution', id } },
      ...{ before: null, after: null },
    })),
  );
  await noteErased(transaction, erasure, { ids, erased: erased.length });
}
