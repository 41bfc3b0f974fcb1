import type { Knex } from 'knex';
import { every } from '../clock/timers.js';
import { renewJob, type Lease } from './jobs.store.js';

/** Renews a job or lease three times within its time, until it is `lost` or the returned function is called. */
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
