import type { RunContext } from './recorder/runContext.js';

/** An execution that was recorded, as it was recorded. */
export interface LiveRun {
  readonly id: string;
  readonly reference: string | null;
  readonly workspaceId: string;
  readonly environmentId: string;
  readonly decisionId: string;
  readonly deploymentId: string;
  readonly version: number;
  readonly status: 'COMPLETED' | 'FAILED';
  readonly fact: string | null;
  readonly result: string;
  /** Microseconds. */
  readonly engineUs: number;
  readonly createdAt: Date;
  readonly context: Pick<RunContext, 'clock' | 'seed' | 'factRedacted'>;
}

/**
 * What is done with executions once they are recorded: in other rooms they are counted, and shadows run other versions of
 * them.
 */
export interface Recorded {
  /** To be called with every execution that is recorded; never throws, and costs next to nothing. */
  offer(run: LiveRun): void;
}
