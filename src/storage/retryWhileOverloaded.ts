import { patienceMs } from '../admission/constants.js';
import { retried } from '../clock/retried.js';
import { Problem } from '../errors.js';
import { asProblem } from './database.js';

/**
 * Repeats what finds no thread, no memory or no database, of which nothing was done: work of many pieces waits where a single
 * execution is refused. Rejects after half a minute, and once nobody wants it any more.
 */
export function retryWhileOverloaded<T>(over: () => boolean, work: () => T | Promise<T>): Promise<T> {
  const until = performance.now() + patienceMs.batch;
  return retried(work, (error) => isOverload(error) && !over() && performance.now() <= until);
}

function isOverload(error: unknown): boolean {
  const problem = asProblem(error);
  return problem instanceof Problem && ['overloaded', 'dependency_unavailable'].includes(problem.code);
}
