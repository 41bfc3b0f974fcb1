import { patienceMs } from '../admission/constants.js';
import { retried } from '../admission/retry.js';
import { Problem } from '../errors.js';
import { asProblem } from './database.js';

/**
 * Repeats what finds no thread, no memory or no database, of which nothing was done: work of many pieces waits where a single
 * execution is refused. Rejects after half a minute, and once nobody wants it any more.
 */
export const retryWhileOverloaded = <T>(over: () => boolean, work: () => T | Promise<T>): Promise<T> =>
  retried(work, { until: performance.now() + patienceMs.batch, mayPass: (error) => isOverload(error) && !over() });

function isOverload(error: unknown): boolean {
  const problem = asProblem(error);
  return problem instanceof Problem && ['overloaded', 'dependency_unavailable'].includes(problem.code);
}
