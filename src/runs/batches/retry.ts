import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../errors.js';
import { firstRetryWaitMs, longestRetryWaitMs, maxRetryMs } from '../../admission/constants.js';
import { asProblem } from '../../storage/database.js';
import type { Batch } from './batch.js';

/**
 * Repeats what finds no thread, no memory or no database, of which nothing was done: a batch waits where a single execution
 * is refused. Rejects when the batch is over, and after half a minute.
 */
export async function retryWhileOverloaded<T>(batch: Pick<Batch, 'over'>, work: () => T | Promise<T>): Promise<T> {
  const until = performance.now() + maxRetryMs;
  for (let waitMs = firstRetryWaitMs; ; waitMs = Math.min(2 * waitMs, longestRetryWaitMs)) {
    try {
      return await work();
    } catch (error) {
      const problem = asProblem(error);
      const passing = problem instanceof Problem && ['overloaded', 'dependency_unavailable'].includes(problem.code);
      if (!passing || batch.over() || performance.now() > until) throw error;
      await sleep(waitMs * (0.5 + Math.random()));
    }
  }
}
