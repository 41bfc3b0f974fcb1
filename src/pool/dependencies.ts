import type { Logger } from 'pino';
import type { RunLimits, RunMiss, RunTask } from '../../workers/protocol.js';
import type { RequestTrace } from '../tracing/requestTrace.js';
import type { PoolConfig } from './settings.js';
import type { PoolObserver } from './stats.js';

export interface PoolDependencies {
  readonly config: PoolConfig;
  /** Limits of each run besides time and heap. */
  readonly limits: RunLimits;
  readonly log: Pick<Logger, 'error'>;
  readonly observer?: PoolObserver;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** The file that threads run; the engine unless a test says otherwise. */
  readonly worker?: URL;
  /** How long threads beyond the maximum stay after their last need, in milliseconds. */
  readonly spareMs?: number;
}

export interface RunOptions {
  /** Fetches what a thread lacks. What it rejects with, `run` rejects with. */
  readonly provide: (miss: RunMiss) => Promise<Pick<RunTask, 'bundle' | 'configuration'>>;
  /** True once the caller has gone away; then a run that has not begun does not. */
  readonly gone?: () => boolean;
  /** Gets spans of the wait and of the run; undefined unless the request is traced. */
  readonly trace?: RequestTrace | undefined;
}
