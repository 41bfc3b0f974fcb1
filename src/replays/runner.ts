import type { Logger } from 'pino';
import { Problem } from '../errors.js';
import { createJobLoop, type PollLoop } from '../scheduler/pollLoop.js';
import type { CompareDependencies } from './comparer.js';
import { deleteSomeDifferences } from './differences.store.js';
import {
  claimJob,
  createReplayTurns,
  deleteReplay,
  failJob,
  JobLost,
  postponeJob,
  releaseJob,
  renewJob,
  type Job,
} from './jobs.store.js';
import { ReplayFailed, workOnReplay } from './slice.js';

interface RunnerSettings {
  /** How often to look for replays that others started or left behind, in milliseconds. */
  readonly pollMs: number;
  /** How long a job is another process's after this one died, in milliseconds; longer than any piece of work. */
  readonly leaseMs: number;
}

interface Dependencies extends CompareDependencies {
  readonly log: Pick<Logger, 'warn' | 'error'>;
  readonly settings: RunnerSettings;
}

/**
 * Slices that a process works on at once, two of a workspace at most. Each waits for the pool most of the time, which gives
 * its threads to the workspaces by the time that they used; who has to wait here waits for one slice of each other tenant.
 */
const atOnce = 32;
/** How long a slice takes where others may wait for theirs. */
const sliceMs = 2000;
/** Attempts that came no further after which a replay has FAILED: about two minutes. */
const maxAttempts = 6;

/** Works on the replays of all tenants in turn, a slice at a time. When it stops, other processes go on with them. */
export function createReplayRunner(dependencies: Dependencies): PollLoop {
  const { database, log, settings } = dependencies;
  const { leaseMs } = settings;
  const turns = createReplayTurns();
  let removal: Promise<void> = Promise.resolve();
  const loop = createJobLoop<Job>({
    pollMs: settings.pollMs,
    atOnce,
    claim: () => claimJob(database, turns, leaseMs),
    work: workOn,
    failed(error, job) {
      if (job === undefined) log.warn({ err: error }, 'replays cannot be worked on right now');
      else log.warn({ err: error, replay: job.id }, 'a replay was left until its lease ends');
    },
  });
  return loop;

  async function workOn(job: Job): Promise<void> {
    // One after the other: nobody waits for a removal, and each is as much as the database can do.
    if (job.isRemoved) return (removal = removal.catch(() => undefined).then(() => remove(job)));
    if (job.attempts > maxAttempts) return failJob(database, job, reasonOf(job));
    const until = performance.now() + sliceMs;
    // A piece may wait for as long as the machine is busy. A renewal that fails is made up for by the next.
    const renewal = setInterval(() => void renewJob(database, job, leaseMs).catch(() => undefined), leaseMs / 3);
    try {
      await workOnReplay(dependencies, job, { leaseMs, until, stopping: loop.stopping });
    } catch (error) {
      await interrupted(job, error);
    } finally {
      clearInterval(renewal);
    }
  }

  async function remove(job: Job): Promise<void> {
    const more = await deleteSomeDifferences(database, job);
    await (more ? releaseJob(database, job) : deleteReplay(database, job));
  }

  async function interrupted(job: Job, error: unknown): Promise<void> {
    if (error instanceof JobLost) return;
    // A server that stops lets others go on at once.
    if (loop.stopping.aborted) return releaseJob(database, job);
    const isRefused = error instanceof Problem && error.status < 500;
    if (isRefused || error instanceof ReplayFailed) return failJob(database, job, error.message);
    log.warn({ err: error, replay: job.id, attempts: job.attempts }, 'a replay is tried again later');
    await postponeJob(database, job, error instanceof Problem ? error.message : null);
  }
}

/** For the owner; what is not for them is in the log. */
const reasonOf = ({ error }: Job): string =>
  `It came no further in ${maxAttempts} attempts${error === null ? ', for reasons that the log of the server tells' : `: ${error}`}`;
