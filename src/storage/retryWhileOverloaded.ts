import { patienceMs } from '../admission/constants.js';
import { retried } from '../clock/retried.js';
import { Problem } from '../errors.js';
import { asProblem } from './database.js';

/** Repeats what was refused with nothing done, for half a minute at most: work of many pieces waits. */
export function retryWhileOverloaded<T>(over: () => boolean, work: () => T | Promise<T>): Promise<T> {
  const until = performance.now() + patienceMs.batch;
  return retried(work, (error) => isOverload(error) && !over() && performance.now() <= until);
}

function isOverload(error: unknown): boolean {
  const problem = asProblem(error);
  return problem instanceof Problem && ['overloaded', 'dependency_unavailable'].includes(problem.code);
}
