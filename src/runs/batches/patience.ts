import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../../errors.js';
import { asProblem } from '../../storage/database.js';
import type { Batch } from './batch.js';

/** How long a pack waits at first for a place, memory or the database, and how long it waits at most, all in all. */
const firstWaitMs = 5;
const longestWaitMs = 250;
export const patienceMs = 30_000;

/**
 * Repeats what finds no place, no memory or no database, of which nothing was done: a batch waits where a single execution
 * is refused. Rejects when the batch is over, and after half a minute.
 */
export async function patiently<T>(batch: Pick<Batch, 'over'>, work: () => T | Promise<T>): Promise<T> {
  const until = performance.now() + patienceMs;
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
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
