import { retried } from '../../clock/retried.js';
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
  const passes = (error: unknown): boolean => {
    const problem = asProblem(error);
    const passing = problem instanceof Problem && ['overloaded', 'dependency_unavailable'].includes(problem.code);
    return passing && !batch.over() && performance.now() <= until;
  };
  return retried(work, passes, { firstMs: firstRetryWaitMs, lastMs: longestRetryWaitMs });
}
