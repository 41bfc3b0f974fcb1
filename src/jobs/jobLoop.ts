import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { Problem } from '../errors.js';
import { JobLost, settleJob, type Job, type JobEnd, type JobKind, type JobQueue } from './jobs.store.js';
import { PollLoop } from '../clock/pollLoop.js';
import { renewing } from './renewing.js';
import { ownerWithinKind, JobTurns } from './turns.js';

interface Dependencies {
  readonly database: Knex;
  readonly log: Pick<Logger, 'warn'>;
  /** How often to look for jobs that nothing announces, in milliseconds. */
  readonly pollMs: number;
  /** How long a job is this process's after it died, in milliseconds; it renews three times within that. */
  readonly leaseMs?: number;
}

/** How the jobs of a kind are worked on. */
export interface JobWork {
  readonly kind: JobKind;
  /** How many jobs this process works on at once, of all tenants and of one; of one as many as of all when left out. */
  readonly atOnce: number;
  readonly atOnceOfTenant?: number;
  /**
   * Works on a job for a slice of time, and gives the milliseconds after which it is due again, or null where it is over.
   * Each of its transactions calls `requireHeld` or `noteProgress`, so that a process which lost the job writes nothing.
   * @param gone aborted once the server stops, or the job is another's
   */
  readonly work: (job: Job, gone: AbortSignal) => Promise<number | null>;
  /**
   * Writes why a job ends that came no further, where its owner reads it. A kind without it has jobs that never end, and are
   * tried once a minute at least.
   */
  readonly fail?: (job: Job, reason: string) => Promise<void>;
}

/** A job cannot go on however often it is tried; the message is for its owner. */
export class JobFailed extends Error {
  override readonly name = 'JobFailed';
}

/** Less: others go on sooner after a process was killed, and more renewals. */
const usualLeaseMs = 10_000;
/** Attempts that came no further after which a job has failed: about two minutes. */
const maxAttempts = 6;

/**
 * Works on the jobs of all kinds that all processes share: one look finds what is due of every kind, and within a kind tenants take
 * turns. When it stops, other processes go on with them.
 */
export function createJobLoop(dependencies: Dependencies, works: readonly JobWork[]): PollLoop {
  const { database, log, pollMs, leaseMs = usualLeaseMs } = dependencies;
  const workOf = new Map(works.map((work) => [work.kind, work]));
  const turns = new JobTurns(database, [...workOf.keys()], ownerWithinKind);
  const running = new Map<Promise<void>, JobQueue>();
  const loop = new PollLoop({
    pollMs,
    async round() {
      const [job] = await turns.claim({ leaseMs, room });
      const work = job && workOf.get(job.kind);
      if (job === undefined || work === undefined) return false;
      const began = performance.now();
      const working = keep(job, work)
        .catch((error: unknown) => log.warn({ err: error, ...named(job) }, 'a job was left until its lease ends'))
        .finally(() => {
          turns.charge(job, performance.now() - began);
          running.delete(working);
          loop.wake();
        });
      running.set(working, job);
      return true;
    },
    failed: (error) => log.warn({ err: error }, 'jobs cannot be worked on right now'),
    ended: () => Promise.all(running.keys()),
  });
  return loop;

  function room({ kind, tenantId }: JobQueue): number {
    const { atOnce = 0, atOnceOfTenant = atOnce } = workOf.get(kind) ?? {};
    const ofKind = [...running.values()].filter((job) => job.kind === kind);
    const ofTenant = ofKind.filter((job) => job.tenantId === tenantId);
    return ofKind.length < atOnce && ofTenant.length < atOnceOfTenant ? 1 : 0;
  }

  /** Works on a job while its lease is renewed, and gives it back. */
  async function keep(job: Job, work: JobWork): Promise<void> {
    const lost = new AbortController();
    const stopRenewing = renewing(database, job, leaseMs, () => lost.abort());
    try {
      await settleJob(database, job, await endOf(job, work, AbortSignal.any([loop.stopping, lost.signal])));
    } catch (error) {
      if (!(error instanceof JobLost)) throw error;
    } finally {
      stopRenewing();
    }
  }

  async function endOf(job: Job, { work, fail }: JobWork, gone: AbortSignal): Promise<JobEnd> {
    try {
      // It was claimed while the server began to stop.
      if (gone.aborted) return { kind: 'interrupted' };
      if (job.attempts > maxAttempts && fail !== undefined) return await failed(job, fail, exhausted(job.reason));
      const afterMs = await work(job, gone);
      return afterMs === null ? { kind: 'over' } : { kind: 'again', afterMs };
    } catch (error) {
      if (error instanceof JobLost) throw error;
      // A server that stops lets others go on at once.
      if (loop.stopping.aborted) return { kind: 'interrupted' };
      if (error instanceof JobFailed && fail !== undefined) return failed(job, fail, error.message);
      log.warn({ err: error, ...named(job), attempts: job.attempts }, 'a job is tried again later');
      const reason = error instanceof Problem ? error.message : null;
      if (job.attempts >= maxAttempts && fail !== undefined) return failed(job, fail, exhausted(reason));
      return { kind: 'postponed', reason };
    }
  }
}

async function failed(job: Job, fail: NonNullable<JobWork['fail']>, reason: string): Promise<JobEnd> {
  await fail(job, reason);
  return { kind: 'over' };
}

/** Which job it is, in the log. */
const named = ({ kind, id }: Job): { readonly kind: JobKind; readonly job: string } => ({ kind, job: id });

/** For the owner; what is not for them is in the log. */
const exhausted = (reason: string | null): string =>
  `It came no further in ${maxAttempts} attempts${reason === null ? ', for reasons that the log of the server tells' : `: ${reason}`}`;
