import type { Measured } from '../../workers/models/index.js';
import type { RunContext } from './recorder/record.js';

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

/**
 * What is done with executions once they are recorded: in other rooms they are counted, and shadows run other versions of
 * them.
 */
export interface Recorded {
  /** To be called with every execution that is recorded; never throws, and costs next to nothing. */
  offer(run: LiveRun): void;
}

/** All of them, of which it is known what is counted. */
export interface RecordedExecutions extends Recorded {
  /** Fields of results that are counted; threads take them, since a result is a value there. Undefined for none. */
  measuredFields(deploymentId: string): readonly string[] | undefined;
}
