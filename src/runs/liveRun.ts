import type { RunContext } from './recorder/runContext.js';

/** An execution that was recorded, as it was recorded. */
export interface LiveRun {
  readonly id: string;
  readonly reference: string | null;
  readonly workspaceId: string;
  readonly environmentId: string;
  readonly decisionId: string;
  readonly version: number;
  readonly status: 'COMPLETED' | 'FAILED';
  readonly fact: string | null;
  readonly result: string;
  readonly context: Pick<RunContext, 'clock' | 'seed' | 'factRedacted'>;
}

/** What is done with executions once they are recorded: shadows, in another room, run other versions of them. */
export interface Recorded {
  /** To be called with every execution that is recorded; never throws, and costs next to nothing where there is no shadow. */
  offer(run: LiveRun): void;
}
