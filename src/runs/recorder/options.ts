import type { Knex } from 'knex';
import type { Owners } from '../../admission/owners.js';
import type { Scheduler } from '../../admission/scheduler.js';
import type { ExecutionObserver } from '../liveExecution.js';

/** Counts since the start; for the metrics. */
export interface RecorderCounts {
  /** Statements committed, and the rows in them. */
  flushes: number;
  rows: number;
  /** Statements halved because one of their rows was refused. */
  bisections: number;
  /** Statements repeated after a lost connection, and after a lock was in the way. */
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
  /** For executions with a transaction of their own. */
  readonly database: Knex;
  /** Connections of the recorder only, so that no other statement delays a record. */
  readonly records: Knex;
  readonly recordFacts: boolean;
  /** Age at which what could not be written is refused, in milliseconds. */
  readonly giveUpAfterMs: number;
  readonly scheduler: Pick<Scheduler, 'yieldToLive'>;
  /** Knows the tenants of workspaces. */
  readonly owners?: Owners;
  readonly observer?: RecorderObserver;
  /** Are told of each execution once it is durable. */
  readonly observers?: readonly ExecutionObserver[];
}
