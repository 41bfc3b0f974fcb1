import type { ModelTask } from '../../../workers/models/index.js';
import type { RunStopped, RunTask, ThreadReply } from '../../../workers/protocol.js';
import type { Problem } from '../../errors.js';
import type { RequestTrace } from '../../tracing/requestTrace.js';
import type { Caller } from './workspaceAccounts.js';

/** The pool adds the time limit when it sends the run, because it can change while the run waits. */
export type RunRequest = Omit<RunTask, 'timeoutMs'>;

export interface RunOptions {
  /** True once the caller has gone away; then a run that has not begun does not. */
  readonly gone?: () => boolean;
  /** Gets spans of the wait and of the run; undefined unless the request is traced. */
  readonly trace?: RequestTrace | undefined;
}

/** A run, or other work on a thread, that was admitted and has not ended. Times are those of the pool's clock. */
export interface QueuedRun extends Caller {
  /** After a miss it is sent again with what the thread lacked. */
  request: RunRequest | ModelTask;
  /** True once its caller has gone away; then it does not begin. */
  readonly gone: () => boolean;
  /** Undefined unless its request is traced. */
  readonly trace: RequestTrace | undefined;
  resolve: (reply: ThreadReply) => void;
  /** Nothing was run. */
  reject: (refusal: Problem) => void;
  /** When it came; null once its wait for a thread was measured, and for background work, whose wait is not measured. */
  since: number | null;
  /** A thread had it and did not run it: it goes before the others of its workspace. */
  requeued: boolean;
  /** When it was queued last. */
  queuedAt: number;
  /** For how many milliseconds it was expected to hold a thread when it was queued last. */
  expectedMs: number;
}

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
