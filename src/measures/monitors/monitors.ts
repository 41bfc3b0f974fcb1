import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { createJobLoop, type PollLoop } from '../../scheduler/pollLoop.js';
import type { ByteBudget } from '../../http/body/byteBudget.js';
import { parseCondition } from './condition.js';
import { look } from './look.js';
import { claimMonitor, createMonitorTurns, writeFinding, type ClaimedMonitor } from './monitors.store.js';

interface Dependencies {
  readonly database: Knex;
  readonly budget: Pick<ByteBudget, 'reserve'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly settings: {
    /** How often to look for monitors that are due, in milliseconds. */
    readonly pollMs: number;
    /** How long a monitor is another process's after this one died, in milliseconds. */
    readonly leaseMs: number;
    /** How often each is looked at, in milliseconds; one of drift, which reads 30 days, a sixth as often. */
    readonly everyMs: number;
  };
}

/** Looks at the monitors of all tenants in turn, one after the other: each is a few reads, and nobody waits for it. */
export function createMonitors({ database, budget, log, settings }: Dependencies): PollLoop {
  const { pollMs, leaseMs, everyMs } = settings;
  const turns = createMonitorTurns();
  return createJobLoop<ClaimedMonitor>({
    pollMs,
    atOnce: 1,
    claim: () => claimMonitor(database, turns, leaseMs),
    work: lookAt,
    failed(error, claimed) {
      if (claimed === undefined) log.warn({ err: error }, 'monitors cannot be looked at right now');
      else log.warn({ err: error, monitor: claimed.monitor.id }, 'a monitor could not be looked at');
    },
  });

  async function lookAt(claimed: ClaimedMonitor): Promise<void> {
    const { monitor } = claimed;
    const reservation = budget.reserve(monitor.workspaceId, 0);
    try {
      const finding = await look(database, monitor, { at: Date.now(), reservation });
      const isDrift = parseCondition(monitor.condition)?.drift === true;
      await writeFinding(database, claimed, finding, isDrift ? 6 * everyMs : everyMs);
    } finally {
      reservation.release();
    }
  }
}
