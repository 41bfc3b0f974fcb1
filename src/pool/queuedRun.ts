import type { ModelTask } from '../../workers/models/index.js';
import type { RunTask, ThreadReply } from '../../workers/protocol.js';
import type { Problem } from '../errors.js';
import type { RequestTrace } from '../tracing/requestTrace.js';
import { backgroundAccount, backgroundPace, type ProgramPace, type WorkspaceAccount } from './workspaceAccounts.js';

/** The pool adds the time limit when it sends the run, because it can change while the run waits. */
export type RunRequest = Omit<RunTask, 'timeoutMs'>;

/** A run, or other work, that has not been answered. */
export interface QueuedRun {
  readonly workspaceId: string;
  readonly account: WorkspaceAccount;
  readonly pace: ProgramPace;
  readonly request: RunRequest | ModelTask;
  /** Nobody waits for it: it gives way to all other work, and is not counted as a run. */
  readonly background: boolean;
  /** True once its caller has gone away; then it does not begin. */
  readonly gone: () => boolean;
  /** Undefined unless its request is traced. */
  readonly trace: RequestTrace | undefined;
  readonly resolve: (reply: ThreadReply) => void;
  /** Nothing was run. */
  readonly reject: (refusal: Problem) => void;
  /** When it began to wait for a thread, by the pool's clock; null once that wait is over and measured. */
  since: number | null;
}

/** What all work in the background has in common. */
export const inBackground = {
  account: backgroundAccount,
  pace: backgroundPace,
  background: true,
  gone: () => false,
  trace: undefined,
} satisfies Partial<QueuedRun>;
