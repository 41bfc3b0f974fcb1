import type { Knex } from 'knex';
import { queueJobs, type Hold } from '../jobs/jobs.store.js';
import { type Connection, inTransaction } from '../storage/database.js';
import { idFromBytes, idTime, idToBytes, lowestIdAt } from '../storage/ids.js';
import { rowsInIdOrder } from '../storage/indexHints.js';
import { inPages } from '../storage/pages.js';
import type { ComparisonFields } from './comparisons.schema.js';
import { digestOf } from './differences.store.js';
import { reportWithoutErased, talliesWithoutErased } from './withoutErased.js';
import { ErasedResults } from './erasedResults.js';

/** An execution that is erased, with its result as it was recorded: JSON, parsed; undefined where it failed. */
interface ErasedExecution {
  readonly id: string;
  readonly decisionId: string;
  readonly environmentId: string;
  readonly result: unknown;
}

/** Executions of a workspace that are erased. */
interface ErasedExecutions {
  readonly workspaceId: string;
  /** Ascending. */
  readonly executions: readonly ErasedExecution[];
  /** Begins each transaction. */
  readonly hold: Hold;
}

/** What a report is of. */
type Request = ComparisonFields & { readonly decisionId: string; readonly environmentId: string };

/**
 * Removes the differences that replays have kept of executions. A replay that runs begins anew from what it has written: what
 * it holds in memory may be of these executions.
 */
export async function eraseDifferences(
  transaction: Knex.Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  const workspace = idToBytes(workspaceId);
  const running = (await transaction('replays')
    .where({ workspace_id: workspace, status: 'RUNNING' })
    .forUpdate()
    .pluck('id')) as Buffer[];
  const jobs = running.map((id) => ({ kind: 'replay', workspaceId, id: idFromBytes(id) }) as const);
  await queueJobs(transaction, jobs);
  const rows = (await transaction('replay_differences')
    .select('replay_id', 'execution_id', 'changes')
    .where('workspace_id', workspace)
    .whereIn('execution_id', ids.map(idToBytes))
    .forUpdate()) as { replay_id: Buffer; execution_id: Buffer; changes: string }[];
  for (const { replay_id, execution_id, changes } of rows) {
    const primaryKey = { workspace_id: workspace, replay_id, execution_id };
    const pointers = (JSON.parse(changes) as { pointer: string }[]).map(({ pointer }) => digestOf(pointer));
    if (pointers.length > 0)
      await transaction('replay_places').where(primaryKey).whereIn('pointer_digest', pointers).delete();
    await transaction('replay_differences').where(primaryKey).delete();
  }
}

/**
 * Executions without a record any more, of which replays have kept something under a reference; the first of them.
 * @param atMost of them
 */
export async function keptWithoutRecord(
  connection: Connection,
  { workspaceId, reference }: { readonly workspaceId: string; readonly reference: string },
  atMost: number,
): Promise<string[]> {
  const under = connection.raw('?? AS d FORCE INDEX (??)', ['replay_differences', 'replay_differences_reference']);
  const ids = (await connection(under)
    .leftJoin('executions AS e', { 'e.id': 'd.execution_id', 'e.workspace_id': 'd.workspace_id' })
    .where({ 'd.workspace_id': idToBytes(workspaceId), 'd.reference': reference })
    .whereNull('e.id')
    .orderBy('d.execution_id')
    .limit(atMost)
    .pluck('d.execution_id')) as Buffer[];
  // Several replays may have kept the same.
  return [...new Set(ids.map(idFromBytes))];
}

/** Requests that are read at once: each may have some 100 KB. */
const pageSize = 10;

/**
 * Notes in the counts of replays and shadows that executions are erased, so that no value stays that too few others have.
 * In a transaction for each report: whatever ends the process leaves each as it was, or noted; noting twice hides more.
 */
export async function eraseCounts(database: Knex, erased: ErasedExecutions): Promise<void> {
  const { workspaceId, executions } = erased;
  const [first] = executions;
  if (first === undefined) return;
  // A replay has run only what was executed before it was made, or in the same millisecond; a shadow what came later.
  for (const [table, after] of [
    ['replays', lowestIdAt(idTime(first.id))],
    ['shadows', null],
  ] as const) {
    const rows = rowsInIdOrder(database, table, workspaceId).select('id', 'request');
    for await (const page of inPages<{ id: Buffer; request: string }>(rows, pageSize, { after }))
      for (const { id, request } of page)
        await eraseOne(database, { table, id }, JSON.parse(request) as Request, erased);
  }
}

async function eraseOne(
  database: Knex,
  { table, id }: { readonly table: 'replays' | 'shadows'; readonly id: Buffer },
  request: Request,
  { workspaceId, executions, hold }: ErasedExecutions,
): Promise<void> {
  const results = resultsOf(executions, request);
  if (results.length === 0) return;
  const { result, measures = [] } = request;
  const erased = { results: new ErasedResults(results), statedPointer: result?.pointer ?? '', measures };
  await inTransaction(database, async (transaction) => {
    await hold(transaction);
    const row = transaction(table).where({ workspace_id: idToBytes(workspaceId), id });
    const [found] = (await row.clone().select('tallies', 'report').forUpdate()) as {
      tallies: string;
      report: string;
    }[];
    if (found === undefined) return;
    const { tallies, report } = found;
    const left = {
      tallies: await talliesWithoutErased(tallies, erased),
      report: await reportWithoutErased(report, erased),
    };
    if (left.tallies === tallies && left.report === report) return;
    await row.update({ ...left, revision: transaction.raw('revision + 1') });
  });
}

/** Of the executions of a decision in an environment. */
export const resultsOf = (
  executions: readonly ErasedExecution[],
  { decisionId, environmentId }: Pick<Request, 'decisionId' | 'environmentId'>,
): unknown[] =>
  executions
    .filter((one) => one.decisionId === decisionId.toLowerCase() && one.environmentId === environmentId.toLowerCase())
    .map(({ result }) => result);
