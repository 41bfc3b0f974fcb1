import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { createWakeSignal } from '../../storage/wakeSignal.js';
import type { ByteBudget, Reservation } from '../../http/body/byteBudget.js';
import { parseCondition } from './condition.js';
import { look } from './look.js';
import { claimMonitor, writeFinding, type ClaimedMonitor } from './monitors.store.js';

/** Looks at the monitors of all workspaces. Several processes share them. */
export interface Monitors {
  start(): void;
  stop(): Promise<void>;
}

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

/** One after the other: each is a few reads, and nobody waits for it. */
export function createMonitors({ database, budget, log, settings }: Dependencies): Monitors {
  const { pollMs, leaseMs, everyMs } = settings;
  const wakeSignal = createWakeSignal();
  let stopping = false;

  async function run(): Promise<void> {
    while (!stopping) {
      const claimed = await claim();
      // A little jitter keeps several processes from asking at the same moments.
      if (claimed === undefined) await wakeSignal.wait(pollMs * (0.75 + 0.5 * Math.random()));
      else await lookAt(claimed);
    }
  }

  async function claim(): Promise<ClaimedMonitor | undefined> {
    try {
      return await claimMonitor(database, leaseMs);
    } catch (error) {
      log.warn({ err: error }, 'monitors cannot be looked at right now');
      return undefined;
    }
  }

  async function lookAt(claimed: ClaimedMonitor): Promise<void> {
    const { monitor } = claimed;
    let reservation: Reservation | undefined;
    try {
      reservation = budget.reserve(monitor.workspaceId, 0);
      const finding = await look(database, monitor, { at: Date.now(), reservation });
      await writeFinding(
        database,
        claimed,
        finding,
        parseCondition(monitor.condition)?.drift === true ? 6 * everyMs : everyMs,
      );
    } catch (error) {
      // It stays ours until its lease ends.
      log.warn({ err: error, monitor: monitor.id }, 'a monitor could not be looked at');
    } finally {
      reservation?.release();
    }
  }

  let running: Promise<void> | undefined;
  return {
    start: () => void (running ??= run()),
    async stop() {
      stopping = true;
      wakeSignal.raise();
      await running;
    },
  };
}
