import type { Registry } from 'prom-client';
import type { RefusalReason } from '../evidence/trees.store.js';
import type { ByteBudget, BytesStatus } from '../admission/byteBudget.js';
import type { PoolChanges, PoolStatus } from '../admission/pool/settings.js';
import type { Pool } from '../admission/pool/pool.js';
import type { Cache } from '../storage/redis.js';
import type { DatabaseHealth, DatabaseState } from './databaseHealth.js';
import { processMemory, type ProcessMemory } from './memory.js';
import type { CountsOfPool, PoolCounts } from './metrics/pool.js';
import type { Snapshot } from './metrics/snapshot.js';

/** What `/readyz` says. */
export interface Readiness extends DatabaseState {
  /** `starting` also while no process serves because a dead one is being replaced. */
  readonly phase: 'starting' | 'serving' | 'draining';
  readonly redis: 'ok' | 'degraded' | 'not configured' | 'unknown';
  /** So many bytes are held for requests that have ended that others are refused for want of them; `fault` says how many. */
  readonly bytes?: 'held';
  /** This process would sign records, and the database was restored: it serves, and signs nothing more of some workspaces. */
  readonly evidence?: 'evidence_behind';
}

/** Whether requests may be sent here. */
export const isReady = ({ phase, mysql, bytes }: Readiness): boolean =>
  phase === 'serving' && mysql === 'ok' && bytes === undefined;

/** Part of the capacity from which bytes that nobody gives back take too much from others. */
const mostHeldAfterEnd = 1 / 8;

/** What `/pool` says: the pool, what was counted of it, the memory of the process, and the bytes that requests hold. */
export type CapacityStatus = PoolStatus & CountsOfPool & BytesStatus & { readonly memory: ProcessMemory };

/** The pools of all processes as one; settings are each process's own, and the same everywhere. */
export interface PoolsStatus extends CapacityStatus {
  readonly processes: readonly (CapacityStatus & { readonly pid: number })[];
}

/** What the admin port administers: one server process, or several together. */
export interface Administered {
  readiness(): Promise<Readiness>;
  pool(): Promise<CapacityStatus>;
  metrics(): Promise<Snapshot>;
  /** Throws `validation_failed` where the settings contradict one another. */
  resize(changes: PoolChanges): Promise<void>;
}

/** Administers this process. @param accepting false once it drains */
export function administerProcess({
  health,
  cache,
  pool,
  capacity,
  metrics,
  refusedTrees,
  accepting,
}: {
  health: Pick<DatabaseHealth, 'read'>;
  cache: Cache | null;
  pool: Pick<Pool, 'resize'>;
  capacity: () => CapacityStatus;
  metrics: Registry;
  refusedTrees: ReadonlyMap<string, RefusalReason>;
  accepting: () => boolean;
}): Administered {
  return {
    async readiness() {
      return {
        phase: accepting() ? 'serving' : 'draining',
        ...bytesState(capacity()),
        ...([...refusedTrees.values()].includes('evidence_behind') ? { evidence: 'evidence_behind' } : {}),
        ...(await health.read()),
        redis: cache === null ? 'not configured' : cache.healthy() ? 'ok' : 'degraded',
      };
    },
    pool: () => Promise.resolve(capacity()),
    metrics: () => metrics.getMetricsAsJSON(),
    resize(changes) {
      pool.resize(changes);
      return Promise.resolve();
    },
  };
}

function bytesState({ bytesHeldAfterEnd, maxBytesInFlight }: BytesStatus): Pick<Readiness, 'bytes' | 'fault'> {
  if (bytesHeldAfterEnd <= mostHeldAfterEnd * maxBytesInFlight) return {};
  const held = `${bytesHeldAfterEnd} of ${maxBytesInFlight} bytes are held for requests that ended minutes ago`;
  return { bytes: 'held', fault: `${held}: nothing gives them back but a restart` };
}

/** Where this process is the only one. */
export const ownPools = (status: CapacityStatus): PoolsStatus => ({
  ...status,
  processes: [{ pid: process.pid, ...status }],
});

/** What this process says of itself. */
export const capacityOf = (
  pool: Pick<Pool, 'status'>,
  counts: Pick<PoolCounts, 'status'>,
  budget: Pick<ByteBudget, 'status'>,
): CapacityStatus => ({ ...pool.status(), ...counts.status(), memory: processMemory(), ...budget.status() });
