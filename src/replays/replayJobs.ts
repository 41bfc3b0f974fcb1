import { Problem } from '../errors.js';
import { JobFailed, type JobWork } from '../jobs/jobLoop.js';
import type { Job } from '../jobs/jobs.store.js';
import type { CompareDependencies } from './comparer.js';
import { failReplay, findReplayOf, removeSome } from './progress.store.js';
import { workOnReplay } from './slice.js';

/**
 * Slices that a process works on at once, two of a workspace at most. Each waits for the pool most of the time, which gives
 * its threads to the workspaces by the time that they used; a slice that has to wait here waits for one slice of each other tenant.
 */
const atOnce = 32;
/** How long a slice takes where others may wait for theirs. */
const sliceMs = 2000;

/** Works on the replays of all tenants in turn, a slice at a time. When it stops, other processes go on with them. */
export function replayJobs(dependencies: CompareDependencies): JobWork {
  const { database, budget } = dependencies;
  let removal: Promise<unknown> = Promise.resolve();
  return { kind: 'replay', atOnce, work, fail: (job, reason) => failReplay(database, job, reason) };

  async function work(job: Job, gone: AbortSignal): Promise<number | null> {
    budget.owners.learn(job);
    const replay = await findReplayOf(database, job);
    if (replay === undefined) return null;
    // One after the other: nobody waits for a removal, and each is as much as the database can do.
    if (replay.isRemoved) {
      const removed = removal.then(() => removeSome(database, job));
      removal = removed.catch(() => undefined);
      return (await removed) ? 0 : null;
    }
    const until = performance.now() + sliceMs;
    return (await workOnReplay(dependencies, replay, { until, gone }).catch(unlessItPasses)) ? null : 0;
  }
}

/** An error of the request itself (4xx) comes again at each attempt, so the job fails at once. */
function unlessItPasses(error: unknown): never {
  if (error instanceof Problem && error.status < 500) throw new JobFailed(error.message);
  throw error;
}
