import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { createWakeSignal } from '../../storage/wakeSignal.js';
import { look } from './look.js';
import { claimMonitor, writeFinding, type ClaimedMonitor } from './monitors.store.js';

/** Looks at the monitors of all workspaces. Several processes share them. */
export interface Monitors {
  start(): void;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly database: Knex;
  readonly log: Pick<Logger, 'warn'>;
  readonly settings: {
    /** How often to look for monitors that are due, in milliseconds. */
    readonly pollMs: number;
    /** How long a monitor is another process's after this one died, in milliseconds. */
    readonly leaseMs: number;
    /** How often each is looked at, in milliseconds. */
    readonly everyMs: number;
  };
}

/** One after the other: each is a few reads, and nobody waits for it. */
export function createMonitors({ database, log, settings }: Dependencies): Monitors {
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
    try {
      const finding = await look(database, claimed.monitor, Date.now());
      await writeFinding(database, claimed, finding, everyMs);
    } catch (error) {
      // It stays ours until its lease ends.
      log.warn({ err: error, monitor: claimed.monitor.id }, 'a monitor could not be looked at');
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
