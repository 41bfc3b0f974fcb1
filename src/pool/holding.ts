import type { WorkspaceAccount } from './workspaceAccounts.js';

/** A turn of one workspace that occupies a thread. */
export interface Holding {
  readonly account: WorkspaceAccount;
  /** Its workspace was slow when it began, or one of its programs is not known to be quick. */
  readonly unproven: boolean;
  /** Work in the background. */
  readonly background: boolean;
  /** By the pool's clock. */
  readonly beganAt: number;
  /** It holds the thread for long, whether it computes or waits. */
  long: boolean;
  /** Its workspace was slow when it began, or it has computed for long itself. */
  slow: boolean;
}
