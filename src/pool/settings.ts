import type { Config } from '../config/config.js';
import { Problem } from '../errors.js';
import type { PoolSettings } from './status.js';

/** The pool's part of the configuration. */
export type PoolConfig = Pick<
  Config,
  | 'poolMinThreads'
  | 'poolMaxThreads'
  | 'poolMaxQueue'
  | 'poolMaxQueuePerWorkspace'
  | 'poolMaxWaitMs'
  | 'runTimeoutMs'
  | 'runMaxHeapMb'
  | 'shutdownTimeoutMs'
>;

/** Some of the settings; those that are left out stay. */
export type PoolChanges = { readonly [K in keyof PoolSettings]?: PoolSettings[K] | undefined };

/** The settings after the changes. Throws `validation_failed` where the minimum would be above the maximum. */
export function changedSettings(present: PoolSettings, changes: PoolChanges): PoolSettings {
  const {
    minThreads = present.minThreads,
    maxThreads = present.maxThreads,
    maxQueue = present.maxQueue,
    runTimeoutMs = present.runTimeoutMs,
  } = changes;
  if (minThreads > maxThreads) {
    const violation =
      changes.minThreads === undefined
        ? { pointer: '/maxThreads', message: `must not be below minThreads (${minThreads})` }
        : { pointer: '/minThreads', message: `must not be above maxThreads (${maxThreads})` };
    throw new Problem('validation_failed', 'minThreads must not be above maxThreads.', {
      errors: [{ in: 'body', ...violation }],
    });
  }
  return { minThreads, maxThreads, maxQueue, runTimeoutMs };
}
