import type { ExecutionRecord } from './recorder/record.js';

/** An execution as it was just recorded, before it is answered. It is live: a replay does not come here. */
export type LiveExecution = Omit<ExecutionRecord, 'error' | 'trace' | 'requestId' | 'principal'>;

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
