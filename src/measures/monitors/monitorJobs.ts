import type { Knex } from 'knex';
import type { ByteBudget } from '../../admission/byteBudget.js';
import type { JobWork } from '../../jobs/jobLoop.js';
import type { Job } from '../../jobs/jobs.store.js';
import { parseCondition } from './condition.js';
import { look } from './lookAtMonitor.js';
import { monitorOf, monitors, writeFinding } from './monitors.store.js';

interface Dependencies {
  readonly database: Knex;
  readonly budget: Pick<ByteBudget, 'reserve' | 'owners'>;
  /** How often each monitor is looked at, in milliseconds; a monitor of drift, which reads 30 days, a sixth as often. */
  readonly everyMs: number;
}

/** Looks at the monitors of all tenants in turn, one after the other: each is a few reads, and nobody waits for it. */
export function monitorJobs({ database, budget, everyMs }: Dependencies): JobWork {
  return { kind: 'monitor', atOnce: 1, work: lookAt };

  async function lookAt(job: Job): Promise<number | null> {
    budget.owners.learn(job);
    const found = await monitors.find(database, job);
    if (found === undefined) return null;
    const monitor = monitorOf(found);
    const reservation = budget.reserve(monitor.workspaceId, 0);
    try {
      const finding = await look(database, monitor, { at: Date.now(), reservation });
      await writeFinding(database, job, monitor, finding);
      return parseCondition(monitor.condition)?.drift === true ? 6 * everyMs : everyMs;
    } finally {
      reservation.release();
    }
  }
}
