import type { Measured } from '../../workers/models/index.js';
import type { RunContext } from './recorder/record.js';

/** An execution as it was just recorded, before it is answered. It is live: a replay does not come here. */
export interface LiveExecution {
  readonly id: string;
  readonly reference: string | null;
  readonly workspaceId: string;
  readonly environmentId: string;
  readonly decisionId: string;
  readonly deploymentId: string;
  readonly version: number;
  readonly status: 'COMPLETED' | 'FAILED';
  readonly fact: string | null;
  readonly selection?: string | null | undefined;
  readonly result: string;
  /** Microseconds. */
  readonly engineUs: number;
  readonly createdAt: Date;
  /** Fields of the result that the thread was asked for. */
  readonly measured?: Measured | undefined;
  /** Nulls of a DMN model that its record tells. */
  readonly warningCount?: number | undefined;
  readonly context: Pick<RunContext, 'clock' | 'seed' | 'factRedacted'>;
}

/** A part of another room that hears of executions once they are recorded: measures count them, shadows run another version of them. */
export interface ExecutionObserver {
  /** To be called with every execution that is recorded; never throws, and costs next to nothing. */
  offer(execution: LiveExecution): void;
}

/** All observers together. */
export interface ExecutionObservers extends ExecutionObserver {
  /**
   * Fields of a deployment's results that are counted, undefined for none. The thread that runs an execution takes them, since it has the
   * result as a value.
   */
  measuredFields(deploymentId: string): readonly string[] | undefined;
}
