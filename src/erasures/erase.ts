import type { Knex } from 'knex';
import { appendAuditEntries } from '../audit/audit.store.js';
import { rewriteReports } from '../changes/checks.store.js';
import { growTree, type GrowthDependencies, type Grown } from '../evidence/grow.js';
import type { Records, TextAccount } from '../evidence/records.js';
import { fitting } from '../evidence/subjects.store.js';
import { holdTree, TreeRefused } from '../evidence/trees.store.js';
import { eraseSalts, withLeaf } from '../evidence/leaves.store.js';
import type { ByteBudget } from '../admission/byteBudget.js';
import { requireHeld, type Hold } from '../jobs/jobs.store.js';
import { eraseMeasures } from '../measures/eraseMeasures.js';
import { eraseCounts, eraseDifferences, resultsOf } from '../replays/erase.store.js';
import { reportWithoutErased } from '../replays/withoutErased.js';
import { ErasedResults } from '../replays/erasedResults.js';
import { eraseExecutions } from '../runs/erase.store.js';
import { findWholeExecutions, type WholeExecution } from '../runs/history.store.js';
import { createPause } from '../admission/pause.js';
import { inTransaction } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { countErased, takeOffList, type ClaimedErasure } from './erasures.store.js';

export interface EraseDependencies extends GrowthDependencies {
  readonly records: Records;
  readonly budget: Pick<ByteBudget, 'reserve' | 'owners'>;
}

/** Bytes of facts and results that are read at once. */
const pieceBytes = 1024 * 1024;

/**
 * Erases the first of the executions, as many as are read at once: first from reports, then all else that is kept of each in
 * one transaction. Whatever ends the process leaves an execution as it was, or erased; reports may then hide more than they must.
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
  // Ids without a record go on: other tables may keep something of them.
  const last = fit.ids.at(-1);
  const some = fit.isWhole || last === undefined ? ids : ids.slice(0, ids.indexOf(idFromBytes(last)) + 1);
  const reservation = budget.reserve(workspaceId, 8 * fit.bytes);
  try {
    await giveLeaves(parts, reservation, { workspaceId, ids: some });
    const executions = await withResults(await findWholeExecutions(database, workspaceId, some.map(idToBytes)));
    await eraseFromReports(database, erasure, executions);
    await inTransaction(database, (transaction) => eraseIn(transaction, erasure, { ids: some, executions }));
  } finally {
    reservation.release();
  }
  return some.at(-1);
}

/** Gives leaves to the executions that have none yet: of each execution that is erased, the tree keeps the hash. */
async function giveLeaves(
  parts: EraseDependencies,
  account: TextAccount,
  { workspaceId, ids }: { readonly workspaceId: string; readonly ids: readonly string[] },
): Promise<void> {
  const kind = 'execution';
  for (let isDone = false; !isDone;) {
    const withLeaves = await withLeaf(parts.database, workspaceId, ids);
    const without = ids.filter((id) => !withLeaves.has(id)).map(idToBytes);
    const records = parts.records.each({ kind, workspaceId, ids: without }, account);
    // Where the sequencer was first with any of them, nothing was written.
    isDone = await hasAll(growTree(parts, { kind, workspaceId, records }));
  }
}

/** True where all have leaves, or none can get one because the tree is refused: then they are erased without leaves. */
const hasAll = (growing: Promise<Grown | undefined>): Promise<boolean> =>
  growing.then(
    (grown) => grown?.isWhole === true,
    (error: unknown) => {
      if (error instanceof TreeRefused) return true;
      throw error;
    },
  );

/** An execution with its result parsed; undefined where it failed. */
type ErasedExecution = Omit<WholeExecution, 'result'> & { readonly result: unknown };

/** Parses results as doubles: the counts that they are compared with have lost further digits as well. */
async function withResults(executions: readonly WholeExecution[]): Promise<ErasedExecution[]> {
  const pause = createPause();
  const parsed: ErasedExecution[] = [];
  for (const { result, ...execution } of executions) {
    parsed.push({ ...execution, result: execution.status === 'COMPLETED' ? parsedIfJson(result) : undefined });
    await pause();
  }
  return parsed;
}

/** Undefined for a record that somebody has damaged: nothing can be taken back from counts, but it is erased like the others. */
function parsedIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** In transactions of their own: a report may be long, and there may be many. */
async function eraseFromReports(
  database: Knex,
  erasure: ClaimedErasure,
  executions: readonly ErasedExecution[],
): Promise<void> {
  const { workspaceId } = erasure;
  const hold: Hold = (transaction) => requireHeld(transaction, erasure);
  await eraseCounts(database, { workspaceId, executions, hold });
  const decisionIds = [...new Set(executions.map(({ decisionId }) => decisionId))];
  await rewriteReports(database, { workspaceId, decisionIds, hold }, (report, of) => {
    const results = new ErasedResults(resultsOf(executions, of));
    return reportWithoutErased(report, { results, statedPointer: '', measures: [] });
  });
}

async function eraseIn(
  transaction: Knex.Transaction,
  erasure: ClaimedErasure,
  { ids, executions }: { readonly ids: readonly string[]; readonly executions: readonly ErasedExecution[] },
): Promise<void> {
  const { workspaceId, actor } = erasure;
  await requireHeld(transaction, erasure);
  let withLeaves = await withLeaf(transaction, workspaceId, ids);
  if (withLeaves.size < ids.length) {
    // The tree was refused. It may be another one by now, and whoever gives leaves to these records holds it.
    await holdTree(transaction, workspaceId);
    withLeaves = await withLeaf(transaction, workspaceId, ids);
  }
  const withSalts = await eraseSalts(transaction, workspaceId, ids);
  const emptied = await eraseExecutions(transaction, workspaceId, ids);
  // Where the tree is gone and no other is begun there is no leaf to tell of it.
  const erased = [...withSalts, ...emptied.filter((id) => !withLeaves.has(id))];
  await eraseMeasures(
    transaction,
    executions.filter(({ id }) => erased.includes(id)),
  );
  await eraseDifferences(transaction, workspaceId, ids);
  await appendAuditEntries(
    transaction,
    erased.map((id) => ({
      ...{ actor, workspaceId, action: 'execution.erase', resource: { type: 'execution', id } },
      ...{ before: null, after: null },
    })),
  );
  await countErased(transaction, erasure, erased.length);
  await takeOffList(transaction, erasure, ids);
}
