import type { Knex } from 'knex';
import type { Scheduler } from '../../admission/scheduler.js';
import type { ExecutionObserver } from '../liveExecution.js';

export interface RecorderCounts {
  /** Statements committed, and the rows in them. */
  flushes: number;
  rows: number;
  bisections: number;
  losses: number;
  contentions: number;
  refusedExecutions: number;
  droppedEvaluations: number;
}

/** Hooks for metrics; they must be quick and must not throw. */
export interface RecorderObserver {
  /** A statement was committed; its rows and the milliseconds that it took. */
  flushed(rows: number, ms: number): void;
}

export interface RecorderOptions {
  readonly database: Knex;
  /** Connections of the recorder only, so that no other statement delays a record. */
  readonly records: Knex;
  readonly recordFacts: boolean;
  readonly giveUpAfterMs: number;
  readonly scheduler: Pick<Scheduler, 'yieldToLive'>;
  readonly observer?: RecorderObserver;
  readonly observers?: readonly ExecutionObserver[];
}
