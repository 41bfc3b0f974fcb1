import type { Config } from '../../config/config.js';
import { Problem } from '../../errors.js';

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

/** What can be changed while the pool works. */
export interface PoolSettings {
  readonly minThreads: number;
  readonly maxThreads: number;
  readonly maxQueue: number;
  readonly runTimeoutMs: number;
}

/** How the pool is just now. */
export interface PoolStatus extends PoolSettings {
  /** Without those that are leaving, which count as busy. */
  readonly threads: number;
  readonly busy: number;
  readonly idle: number;
  /** Runs that wait for a thread. */
  readonly waiting: number;
}

/** Some of the settings; those that are left out stay. */
export type PoolChanges = Partial<PoolSettings>;

/** The settings at first. */
export const settingsOf = (config: PoolConfig): PoolSettings => ({
  minThreads: config.poolMinThreads,
  maxThreads: config.poolMaxThreads,
  maxQueue: config.poolMaxQueue,
  runTimeoutMs: config.runTimeoutMs,
});

/** The settings after the changes. Throws `validation_failed` where the minimum would be above the maximum. */
export function changedSettings(present: PoolSettings, changes: PoolChanges): PoolSettings {
  const settings = { ...present, ...changes };
  const { minThreads, maxThreads } = settings;
  if (minThreads <= maxThreads) return settings;
  const violation =
    changes.minThreads === undefined
      ? { pointer: '/maxThreads', message: `must not be below minThreads (${minThreads})` }
      : { pointer: '/minThreads', message: `must not be above maxThreads (${maxThreads})` };
  throw new Problem('validation_failed', 'minThreads must not be above maxThreads.', {
    errors: [{ in: 'body', ...violation }],
  });
}
