import type { Knex } from 'knex';
import { every } from '../clock/timers.js';
import { renewJob, type Lease } from './jobs.store.js';

/**
 * Renews a job or a lease three times within its time, until the returned function is called. A renewal that fails is made up for by
 * the next.
 * @param lost called once another process has it
 */
export function renewing(
  database: Knex,
  lease: Lease,
  leaseMs: number,
  lost: () => void = () => undefined,
): () => void {
  const renew = (): Promise<void> =>
    renewJob(database, lease, leaseMs).then(
      (isOurs) => (isOurs ? undefined : lost()),
      () => undefined,
    );
  return every(leaseMs / 3, renew);
}
