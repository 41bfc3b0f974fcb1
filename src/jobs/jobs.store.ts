import type { Knex } from 'knex';
import { Fields, id, plain } from '../storage/columns.js';
import { byPrimaryKey, type Connection, deleteByPrimaryKey, inMs, inTransaction, now } from '../storage/database.js';
import { idFromBytes, idToBytes } from '../storage/ids.js';

/** What a job is there for. Its id is that of what it works on: of the replay, of the check, of the environment. */
export type JobKind =
  'approval' | 'check' | 'erasure' | 'evidence_check' | 'monitor' | 'replay' | 'retention' | MessageKind;
/** Of messages that wait to be sent, by the way they go. */
type MessageKind = 'EMAIL' | 'EVENT' | 'SMS' | 'WEBHOOK';
/** What one process at a time may do. */
export type LeaseKind = 'evidence' | 'sealing' | 'writing';

/** Jobs of one kind and tenant. */
export interface JobQueue {
  readonly kind: JobKind;
  readonly tenantId: string;
}

/** A job that this process may work on until its lease ends. */
export interface Job extends JobQueue {
  readonly id: string;
  /** Zeros of a message, which is the tenant's. */
  readonly workspaceId: string;
  /** How often it was claimed since it last came further, this time included. */
  readonly attempts: number;
  /** Why the attempt before came no further; null where that is not known, or there was none. */
  readonly reason: string | null;
  /** The fencing token: each claim has another, and what a claim writes counts only while the row has its token. */
  readonly fence: number;
}

const fields = new Fields<Job>({
  kind: plain('kind'),
  id: id(),
  tenantId: id('tenant_id'),
  workspaceId: id('workspace_id'),
  attempts: plain('attempts'),
  reason: plain('reason'),
  fence: plain('fence'),
});

/** The job is another process's by now, or was ended: nothing was written. */
export class JobLost extends Error {
  override readonly name = 'JobLost';
}

/** Seconds until the next attempt: each waits twice as long as the one before, up to a minute. */
const backoffS = 'LEAST(60, POW(2, attempts))';

/** When a claim ends; later after attempts that came no further, so that a job which ends processes ends ever fewer. */
const leaseEnd = (connection: Connection, leaseMs: number): Knex.Raw =>
  connection.raw(`TIMESTAMPADD(MICROSECOND, ? + 1000000 * (${backoffS} - 1), ${now})`, [Math.round(leaseMs) * 1000]);

const inTurn = (connection: Connection): Knex.QueryBuilder =>
  connection(connection.raw('jobs FORCE INDEX (jobs_turn)'));

const byKey = (connection: Connection): Knex.QueryBuilder => byPrimaryKey(connection, 'jobs');

/** A job to be written, of a workspace or of a tenant as a whole. */
type NewJob = { readonly kind: JobKind; readonly id: string } & (
  { readonly workspaceId: string } | { readonly tenantId: string }
);

/** Writes jobs, due at once, with what they are for. One that is there begins anew: whoever has it loses it. */
export async function queueJobs(connection: Connection, jobs: readonly NewJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const rows = jobs.map((job) => ({
    kind: job.kind,
    id: idToBytes(job.id),
    due_at: connection.raw(now),
    ...ownerOf(connection, job),
  }));
  await connection('jobs').insert(rows).onConflict().merge(anew(connection));
}

function ownerOf(connection: Connection, job: NewJob): Record<'tenant_id' | 'workspace_id', Knex.Value> {
  if ('tenantId' in job) return { tenant_id: idToBytes(job.tenantId), workspace_id: Buffer.alloc(16) };
  const workspace_id = idToBytes(job.workspaceId);
  return { tenant_id: connection.raw('(SELECT tenant_id FROM workspaces WHERE id = ?)', [workspace_id]), workspace_id };
}

const anew = (connection: Connection): Record<string, Knex.Value> => ({
  due_at: connection.raw(now),
  claimed: false,
  attempts: 0,
  reason: null,
  fence: connection.raw('fence + 1'),
});

type Kinds = JobKind | readonly JobKind[];

/** Ends jobs, whoever has them. */
export async function endJobs(connection: Connection, kinds: Kinds, ids: readonly string[]): Promise<void> {
  for (const kind of [kinds].flat()) await deleteByPrimaryKey(connection, 'jobs', ids.map(idToBytes), { kind });
}

const among = (jobs: Knex.QueryBuilder, kinds: Kinds, ids: readonly string[]): Knex.QueryBuilder =>
  jobs.whereIn('kind', [kinds].flat()).whereIn('id', ids.map(idToBytes));

/** Where a job stands. */
interface Standing {
  readonly attempts: number;
  /** When any process may claim it. */
  readonly dueAt: Date;
  /** A process works on it. */
  readonly isClaimed: boolean;
}

/** Where jobs stand, by their ids. @param lock keeps them so until the transaction ends */
export async function standingOf(
  connection: Connection,
  kinds: Kinds,
  ids: readonly string[],
  lock = false,
): Promise<ReadonlyMap<string, Standing>> {
  if (ids.length === 0) return new Map();
  type Found = { readonly id: Buffer; readonly attempts: number; readonly due_at: Date; readonly worked: number };
  const worked = connection.raw(`(claimed = 1 AND due_at > ${now}) AS worked`);
  const reading = among(byKey(connection), kinds, ids).select<Found[]>('id', 'attempts', 'due_at', worked);
  const rows = await (lock ? reading.forUpdate() : reading);
  return new Map(
    rows.map(({ id, attempts, due_at, worked: is }) => [
      idFromBytes(id),
      { attempts, dueAt: due_at, isClaimed: is === 1 },
    ]),
  );
}

/** A condition of a query of what jobs are of: no process works on a row's. @param of its columns with kind and id */
export const unlessWorkedOn =
  (connection: Connection, of: { readonly kind: string; readonly id: string }) =>
  (query: Knex.QueryBuilder): void => {
    const worked = connection('jobs')
      .whereRaw('jobs.kind = ?? AND jobs.id = ??', [of.kind, of.id])
      .whereRaw(`claimed = 1 AND due_at > ${now}`);
    query.whereNotExists(worked);
  };

/** The queues with something due. Each takes one look into the index, however many jobs it has. */
export async function listDueQueues(connection: Connection, kinds: readonly JobKind[]): Promise<JobQueue[]> {
  const rows = await inTurn(connection)
    .select<{ readonly kind: JobKind; readonly tenant_id: Buffer }[]>('kind', 'tenant_id')
    .whereIn('kind', kinds)
    .groupBy('kind', 'tenant_id')
    .havingRaw(`MIN(due_at) <= ${now}`);
  return rows.map(({ kind, tenant_id }) => ({ kind, tenantId: idFromBytes(tenant_id) }));
}

/** Claims the jobs of a queue that have been due for the longest, and that nobody else is claiming. */
export function claimJobs(
  database: Knex,
  { kind, tenantId }: JobQueue,
  { most, leaseMs }: { readonly most: number; readonly leaseMs: number },
): Promise<Job[]> {
  return inTransaction(database, async (transaction) => {
    const rows = (await inTurn(transaction)
      .select(fields.names)
      .where({ kind, tenant_id: idToBytes(tenantId) })
      .whereRaw(`due_at <= ${now}`)
      .orderBy('due_at')
      .limit(most)
      .forUpdate()
      .skipLocked()) as object[];
    if (rows.length === 0) return [];
    const claimed = rows.map(fields.map).map((job) => ({ ...job, attempts: job.attempts + 1, fence: job.fence + 1 }));
    const ids = claimed.map(({ id }) => id);
    await among(byKey(transaction), kind, ids).update({
      due_at: leaseEnd(transaction, leaseMs),
      claimed: true,
      attempts: transaction.raw('attempts + 1'),
      fence: transaction.raw('fence + 1'),
    });
    return claimed;
  });
}

/** What is needed to keep a job, or anything else that one process at a time may do. */
export interface Lease {
  readonly kind: JobKind | LeaseKind;
  readonly id: string;
  readonly fence: number;
}

const held = (connection: Connection, { kind, id, fence }: Lease): Knex.QueryBuilder =>
  connection('jobs').where({ kind, id: idToBytes(id), fence });

/**
 * Locks the job until the transaction ends, so that no other process claims it before this transaction is committed. A
 * transaction that also writes the row that the job is of locks that row first, since whoever ends a job locks in this order.
 * @throws JobLost
 */
export async function requireHeld(transaction: Knex.Transaction, job: Job): Promise<void> {
  const rows = (await held(transaction, job).select('id').forUpdate()) as unknown[];
  if (rows.length === 0) throw new JobLost();
}

/** The ids of those of the jobs that are still this process's; they stay so until the transaction ends. */
export async function heldAmong(transaction: Knex.Transaction, jobs: readonly Job[]): Promise<ReadonlySet<string>> {
  const kinds = [...new Set(jobs.map(({ kind }) => kind))];
  const ids = jobs.map(({ id }) => id);
  const rows = await among(byKey(transaction), kinds, ids)
    .select<{ readonly id: Buffer; readonly fence: number }[]>('id', 'fence')
    .forUpdate();
  const fences = new Map(rows.map(({ id, fence }) => [idFromBytes(id), fence]));
  return new Set(jobs.filter(({ id, fence }) => fences.get(id) === fence).map(({ id }) => id));
}

/** `requireHeld` of a job, for rooms that know nothing of jobs. */
export type Hold = (transaction: Knex.Transaction) => Promise<void>;

/** As `requireHeld`; and attempts are counted from 0 again, since the job came further. @throws JobLost */
export async function noteProgress(transaction: Knex.Transaction, job: Job): Promise<void> {
  if ((await held(transaction, job).update({ attempts: 0, reason: null })) === 0) throw new JobLost();
}

/** Keeps a job or a lease for longer. False where it is not this process's any more. */
export async function renewJob(connection: Connection, job: Lease, leaseMs: number): Promise<boolean> {
  return (await held(connection, job).update({ due_at: leaseEnd(connection, leaseMs) })) > 0;
}

/** What becomes of a job that was worked on. */
export type JobEnd =
  | { readonly kind: 'over' }
  /** It came further, and is due again after so long. */
  | { readonly kind: 'again'; readonly afterMs: number }
  /** The server stops: others may have it at once, and the attempt does not count. */
  | { readonly kind: 'interrupted' }
  /** It came no further. Without `afterMs` each attempt waits longer than the one before. */
  | { readonly kind: 'postponed'; readonly reason: string | null; readonly afterMs?: number };

const longestReason = 1000;

/** Gives a job or a lease back. Nothing where it is not this process's any more. */
export async function settleJob(connection: Connection, job: Lease, end: JobEnd): Promise<void> {
  const row = held(connection, job);
  if (end.kind === 'over') await row.delete();
  else await row.update({ ...settled(connection, end), claimed: false, fence: connection.raw('fence + 1') });
}

function settled(connection: Connection, end: Exclude<JobEnd, { readonly kind: 'over' }>): Record<string, Knex.Value> {
  switch (end.kind) {
    case 'again':
      return { due_at: inMs(connection, end.afterMs), attempts: 0, reason: null };
    case 'interrupted':
      return { due_at: connection.raw(now), attempts: connection.raw('GREATEST(attempts, 1) - 1') };
    case 'postponed':
      return {
        due_at:
          end.afterMs === undefined
            ? connection.raw(`TIMESTAMPADD(MICROSECOND, 1000000 * ${backoffS}, ${now})`)
            : inMs(connection, end.afterMs),
        reason: end.reason?.slice(0, longestReason) ?? null,
      };
  }
}
