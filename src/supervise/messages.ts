import type { CapacityStatus, PoolsStatus, Readiness } from '../admin/administered.js';
import type { Snapshot } from '../admin/metrics/snapshot.js';
import type { PoolChanges } from '../admission/pool/settings.js';

/** What a server process can be asked, and what it answers. */
export interface Answers {
  readonly readiness: Readiness;
  readonly pool: CapacityStatus;
  readonly metrics: Snapshot;
}

export type Question = keyof Answers;

/** From the primary to a server process. */
export type Order =
  | { readonly kind: 'ask'; readonly id: number; readonly question: Question }
  | { readonly kind: 'resize'; readonly changes: PoolChanges }
  /** The answer to `askPools`. */
  | { readonly kind: 'pools'; readonly id: number; readonly pools: PoolsStatus };

/** From a server process to the primary. The first is also what a single server tells its parent. */
export type Report =
  | { readonly kind: 'ready'; readonly port: number; readonly adminPort?: number }
  /** It has had no free descriptor for a while. */
  | { readonly kind: 'exhausted' }
  /** It wants to know of the pools of all processes. */
  | { readonly kind: 'askPools'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answers[Question] | undefined };

/** Environment variables by which a process that starts later gets what was changed since. */
export const poolVariables = {
  minThreads: 'POOL_MIN_THREADS',
  maxThreads: 'POOL_MAX_THREADS',
  maxQueue: 'POOL_MAX_QUEUE',
  runTimeoutMs: 'RUN_TIMEOUT_MS',
} as const satisfies Record<keyof PoolChanges, string>;
