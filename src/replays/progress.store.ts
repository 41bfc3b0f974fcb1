import type { Knex } from 'knex';
import { queueEvents } from '../events/events.store.js';
import type { NewEvent } from '../events/kinds.js';
import { JobLost, noteProgress, requireHeld, type Job } from '../jobs/jobs.store.js';
import { Fields, idOrNull, plain } from '../storage/columns.js';
import { inTransaction, type Connection } from '../storage/database.js';
import { idToBytes } from '../storage/ids.js';
import { deleteSomeDifferences, insertDifferences, type NewDifference } from './differences.store.js';

/** A replay that this process works on. */
export interface ReplayJob extends Job {
  readonly isRemoved: boolean;
  /** JSON of what was asked for. */
  readonly request: string;
  readonly progress: Progress;
}

/** How far a replay is. */
export interface Progress {
  /** Null before they were counted. */
  readonly total: number | null;
  readonly done: number;
  /** Id of the last execution that is counted; null before the first. */
  readonly position: string | null;
  /** JSON; empty before the first. */
  readonly tallies: string;
  /** Of all differences that are stored. */
  readonly differenceBytes: number;
}

const fields = new Fields<Progress>({
  total: plain('total'),
  done: plain('done'),
  position: idOrNull('position'),
  tallies: plain('tallies'),
  differenceBytes: plain('difference_bytes'),
});

/** What a job is to replay, or to remove; undefined where neither is left to do. */
export async function findReplayOf(connection: Connection, job: Job): Promise<ReplayJob | undefined> {
  const [row] = (await replay(connection, job)
    .select('status', 'request', ...fields.names)
    .whereIn('status', ['RUNNING', 'REMOVED'])) as { readonly status: string; readonly request: string }[];
  return row && { ...job, isRemoved: row.status === 'REMOVED', request: row.request, progress: fields.map(row) };
}

const replay = (connection: Connection, { id, workspaceId }: Job): Knex.QueryBuilder =>
  connection('replays').where({ workspace_id: idToBytes(workspaceId), id: idToBytes(id) });

/** What is to be written of a piece of work. */
interface PieceOfWork {
  readonly progress: Progress;
  readonly report: string;
  readonly differences: readonly NewDifference[];
  readonly isOver: boolean;
}

/**
 * Writes progress, report and differences in one transaction, so that nothing is counted twice. Where an execution was done,
 * or all were counted, attempts begin anew.
 * @throws JobLost
 */
export function recordProgress(
  database: Knex,
  job: ReplayJob,
  { progress, report, differences, isOver }: PieceOfWork,
): Promise<void> {
  return inTransaction(database, async (transaction) => {
    await writeHeld(transaction, job, {
      ...fields.toRow(progress),
      ...(isOver ? { tallies: '' } : {}),
      status: isOver ? 'COMPLETED' : 'RUNNING',
      report,
    });
    if (hasProgressed(job, progress)) await noteProgress(transaction, job);
    await insertDifferences(transaction, job, differences);
    if (isOver) await queueEvents(transaction, [completionOf(job)]);
  });
}

function completionOf({ id: replayId, workspaceId, request }: ReplayJob): NewEvent {
  const { environmentId, decisionId } = JSON.parse(request) as { environmentId: string; decisionId: string };
  return { workspaceId, kind: 'replay.completed', data: { replayId, environmentId, decisionId } };
}

const hasProgressed = (job: ReplayJob, { done, total }: Progress): boolean =>
  done > job.progress.done || (total !== null && job.progress.total === null);

/** Ends a replay that cannot go on; what is counted so far stays. @param error for its owner */
export function failReplay(database: Knex, job: Job, error: string): Promise<void> {
  const values = { status: 'FAILED', tallies: '', error: error.slice(0, 1000) };
  return inTransaction(database, (transaction) => writeHeld(transaction, job, values));
}

/** @throws JobLost where the job is another's by now, or the replay was cancelled */
async function writeHeld(transaction: Knex.Transaction, job: Job, values: object): Promise<void> {
  const written = await replay(transaction, job)
    .where('status', 'RUNNING')
    .update({ ...values, revision: transaction.raw('revision + 1'), updated_at: new Date() });
  if (written === 0) throw new JobLost();
  await requireHeld(transaction, job);
}

/** Deletes some of what is stored of a removed replay, and the replay itself at the end. True where more is left. */
export function removeSome(database: Knex, job: Job): Promise<boolean> {
  return inTransaction(database, async (transaction) => {
    await requireHeld(transaction, job);
    if (await deleteSomeDifferences(transaction, job)) return true;
    await replay(transaction, job).where('status', 'REMOVED').delete();
    return false;
  });
}
