import type { Knex } from 'knex';
import { queueEvents } from '../events/events.store.js';
import type { NewEvent } from '../events/kinds.js';
import { inTransaction, type Connection } from '../storage/database.js';
import { inMs, now, presently } from '../storage/databaseClock.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';
import { Turns } from '../storage/turns.js';
import { insertDifferences, type NewDifference } from './differences.store.js';

/** A replay that this process may work on until its lease ends. */
export interface Job {
  readonly id: string;
  readonly workspaceId: string;
  readonly isRemoved: boolean;
  /** JSON of what was asked for. */
  readonly request: string;
  readonly createdAt: Date;
  readonly progress: Progress;
  /** This time included; 1 again after each progress. */
  readonly attempts: number;
  /** Why it came no further the last time, for its owner; null where nobody knows, or it did. */
  readonly error: string | null;
  /** What progress must be written with. */
  readonly fence: number;
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

interface Row {
  readonly id: Buffer;
  readonly workspace_id: Buffer;
  readonly status: string;
  readonly request: string;
  readonly created_at: Date;
  readonly total: number | null;
  readonly done: number;
  readonly position: Buffer | null;
  readonly tallies: string;
  readonly difference_bytes: number;
  readonly attempts: number;
  readonly error: string | null;
  readonly fence: number;
}

/** The turns of the tenants whose replays a process works on. */
export const createReplayTurns = (): Turns =>
  new Turns(() => ({
    table: 'replays',
    primaryKey: ['id'],
    columns: [
      ...['id', 'workspace_id', 'status', 'request', 'created_at', 'total', 'done', 'position', 'tallies'],
      ...['difference_bytes', 'attempts', 'error', 'fence'],
    ],
    counters: ['attempts', 'fence'],
  }));

/** Takes the job whose turn it is for `leaseMs`. Undefined where none is due. */
export async function claimJob(database: Knex, turns: Turns, leaseMs: number): Promise<Job | undefined> {
  const row = await turns.claim<Row>(database, leaseMs);
  return row && mapRow(row);
}

const mapRow = (row: Row): Job => ({
  id: idFromBytes(row.id),
  workspaceId: idFromBytes(row.workspace_id),
  isRemoved: row.status === 'REMOVED',
  request: row.request,
  createdAt: row.created_at,
  progress: {
    total: row.total,
    done: row.done,
    position: row.position === null ? null : idFromBytes(row.position),
    tallies: row.tallies,
    differenceBytes: row.difference_bytes,
  },
  attempts: row.attempts + 1,
  error: row.error,
  fence: row.fence + 1,
});

/** The job is another's by now, or was cancelled: nothing was written. */
export class JobLost extends Error {
  override readonly name = 'JobLost';
}

/** What is to be written of a piece of work. */
export interface PieceOfWork {
  readonly progress: Progress;
  readonly report: string;
  readonly differences: readonly NewDifference[];
  /** Null when it is over; 0 when others may have it at once. Milliseconds. */
  readonly leaseMs: number | null;
}

/**
 * Writes progress, report and differences in one transaction, so that nothing is counted twice. Where an execution was done,
 * or all were counted, attempts begin anew.
 * @throws JobLost
 */
export function recordProgress(database: Knex, job: Job, piece: PieceOfWork): Promise<void> {
  const { progress, report, differences, leaseMs } = piece;
  return inTransaction(database, async (transaction) => {
    const written = await held(transaction, job).update({
      status: leaseMs === null ? 'COMPLETED' : 'RUNNING',
      total: progress.total,
      done: progress.done,
      position: progress.position === null ? null : idToBytes(progress.position),
      tallies: leaseMs === null ? '' : progress.tallies,
      report,
      difference_bytes: progress.differenceBytes,
      due_at: leaseMs === null ? null : inMs(transaction, leaseMs),
      ...(hasProgressed(job, progress) ? { attempts: 0, error: null } : {}),
      ...(leaseMs === 0 ? { fence: transaction.raw('fence + 1') } : {}),
      revision: transaction.raw('revision + 1'),
      updated_at: new Date(),
    });
    if (written === 0) throw new JobLost();
    await insertDifferences(transaction, job, differences);
    if (leaseMs === null) await queueEvents(transaction, [completionOf(job)]);
  });
}

function completionOf({ id: replayId, workspaceId, request }: Job): NewEvent {
  const { environmentId, decisionId } = JSON.parse(request) as { environmentId: string; decisionId: string };
  return { workspaceId, kind: 'replay.completed', data: { replayId, environmentId, decisionId } };
}

const hasProgressed = (job: Job, { done, total }: Progress): boolean =>
  done > job.progress.done || (total !== null && job.progress.total === null);

/** Ends a job that cannot go on; what is counted so far stays. */
export async function failJob(connection: Connection, job: Job, error: string): Promise<void> {
  await held(connection, job).update({
    status: 'FAILED',
    tallies: '',
    error: error.slice(0, 1000),
    due_at: null,
    revision: connection.raw('revision + 1'),
    updated_at: new Date(),
  });
}

/** Keeps the job for longer. Nothing where it was released, or is over: a late renewal must not undo that. */
export async function renewJob(connection: Connection, job: Job, leaseMs: number): Promise<void> {
  await due(connection, job).update({ due_at: inMs(connection, leaseMs) });
}

/** Lets others have the job at once. */
export async function releaseJob(connection: Connection, job: Job): Promise<void> {
  await due(connection, job).update({ due_at: presently(connection), fence: connection.raw('fence + 1') });
}

/** Seconds until another attempt, at most: each waits twice as long as the one before. */
const maxDelayS = 60;

/** Lets others have the job after a while, the longer the more attempts came no further. @param error for its owner */
export async function postponeJob(connection: Connection, job: Job, error: string | null): Promise<void> {
  await due(connection, job).update({
    due_at: connection.raw(`TIMESTAMPADD(SECOND, LEAST(?, POW(2, attempts)), ${now})`, [maxDelayS]),
    error: error?.slice(0, 1000) ?? null,
    fence: connection.raw('fence + 1'),
  });
}

const due = (connection: Connection, { id, workspaceId, fence }: Job): Knex.QueryBuilder =>
  connection('replays')
    .where({ workspace_id: idToBytes(workspaceId), id: idToBytes(id), fence })
    .whereNotNull('due_at');

const held = (connection: Connection, { id, workspaceId, fence }: Job): Knex.QueryBuilder =>
  connection('replays').where({
    workspace_id: idToBytes(workspaceId),
    id: idToBytes(id),
    fence,
    status: 'RUNNING',
  });

/** Deletes the last of a removed replay, whose differences are gone. */
export async function deleteReplay(connection: Connection, { id, workspaceId }: Job): Promise<void> {
  await connection('replays')
    .where({ workspace_id: idToBytes(workspaceId), id: idToBytes(id), status: 'REMOVED' })
    .delete();
}
