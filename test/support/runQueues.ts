import { PoolCounts } from '../../src/admin/metrics/pool.js';
import { Owners } from '../../src/admission/owners.js';
import { Leases, type Lease } from '../../src/admission/pool/leases.js';
import type { QueuedRun } from '../../src/admission/pool/queuedRun.js';
import { RunQueue } from '../../src/admission/pool/runQueue.js';
import { inBackground, WorkspaceAccounts } from '../../src/admission/pool/workspaceAccounts.js';
import type { someThread } from './pools.js';

interface Changes {
  readonly maxQueue?: number;
  readonly maxThreads?: number;
  readonly idleLow?: number;
  readonly serving?: number;
  readonly overflowMs?: number;
}

/** The queue of a pool whose threads do nothing, on a clock that the test moves. `thread` is whichever: nothing is sent to it. */
export function buildRunQueue(
  thread: ReturnType<typeof someThread>,
  { maxQueue = 100, maxThreads = 2, idleLow = 0, serving = 2, overflowMs = 0 }: Changes = {},
) {
  const owners = new Owners();
  const accounts = new WorkspaceAccounts(owners);
  const threads = { idle: 0, idleLow, size: 2, serving };
  const settings = { maxThreads, maxQueue };
  const clock = { ms: 0 };
  const now = (): number => clock.ms;
  const leases = new Leases({ settings, threads, now });
  const observer = new PoolCounts();
  const config = { poolMaxQueuePerWorkspace: 100, poolMaxWaitMs: 2000 };
  const queue = new RunQueue({ config, settings, observer, accounts, leases, threads, now, overflowMs });
  const refused: string[] = [];
  const queued = (caller: Pick<QueuedRun, 'account' | 'pace'>, workspaceId: string, programId: string): QueuedRun => {
    const request = { programId, workspaceId, configurationId: '', body: '{}', traced: false, clock: 0, seed: 0 };
    const reject = (): void => void refused.push(workspaceId);
    const answered = { gone: () => false, trace: undefined, resolve: () => undefined, reject };
    return { ...caller, request, ...answered, since: 0, requeued: false, queuedAt: 0, expectedMs: 0 };
  };
  const runOf = (workspaceId: string, programId = 'p'): QueuedRun =>
    queued(accounts.callerOf(workspaceId, programId), workspaceId, programId);
  const pieceOf = (workspaceId: string): QueuedRun => queued(inBackground(owners.of(workspaceId)), workspaceId, 'p');
  /** Gives a thread to a run for as long as nothing releases it. */
  const begin = (run: QueuedRun): Lease => leases.begin(thread, run.account, [run], 1000);
  return { queue, owners, clock, refused, accounts, threads, runOf, pieceOf, begin };
}
