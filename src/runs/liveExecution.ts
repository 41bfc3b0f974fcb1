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

/** Hears from the recorder of executions: measures count them, shadows run another version of them, failures become events. */
export interface ExecutionObserver {
  /** To be called with every execution that is recorded; never throws, and costs next to nothing. */
  offer(execution: LiveExecution): void;
}

/** Knows which fields of results are counted. The thread that runs an execution takes them, since it has the result as a value. */
export interface MeasuredFields {
  /** Of the results of a deployment; undefined for none. */
  fieldsOf(deploymentId: string): readonly string[] | undefined;
}
