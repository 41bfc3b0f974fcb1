import type { RunStopped } from '../../../workers/protocol.js';

/** Why the pool refused a run. */
export type Refusal = 'queue_full' | 'workspace_full' | 'expected_wait' | 'waited' | 'gone' | 'draining';

/**
 * What the pool tells of itself; called in the hot path, so the hooks must be quick and must not throw. Times are
 * milliseconds, `now` is by the pool's clock.
 */
export interface PoolObserver {
  /** A run waited that long for a thread, and has one now. */
  waited(ms: number, now: number): void;
  /** A run is over; `ms` is its time on the thread, as seen from the main thread. */
  runEnded(ms: number, end: 'done' | RunStopped['reason'], now: number): void;
  refused(why: Refusal): void;
  /** A thread took the place of one that died or had to be ended. */
  restarted(): void;
}
