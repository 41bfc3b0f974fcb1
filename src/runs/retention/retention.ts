import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { createWakeSignal } from '../../storage/wakeSignal.js';
import { pruneEnvironment } from '../prune.js';
import { pruneKept } from '../pruneKept.js';
import { claimRetention, postponeRetention, type ClaimedRetention } from './retention.store.js';

/** Removes what is older than its environment keeps it. Several processes share the environments. */
export interface Retention {
  start(): void;
  stop(): Promise<void>;
}

interface Dependencies {
  readonly database: Knex;
  readonly log: Pick<Logger, 'warn'>;
  readonly settings: {
    /** How often to look for environments that are due, in milliseconds. */
    readonly pollMs: number;
    /** How long an environment is another process's after this one died, in milliseconds. */
    readonly leaseMs: number;
    /** How often each environment is looked at, in milliseconds. */
    readonly everyMs: number;
  };
}

/** Statements of 500 rows for which one environment is held; the audit trail has an entry for each time. */
const maxChunks = 200;
/** A fifth of the time is spent deleting, so that records that are written meanwhile never wait long. */
const restFactor = 4;

/** In its entries of the audit trail. */
const actor = { principal: 'system:retention', requestId: null };

export function createRetention({ database, log, settings }: Dependencies): Retention {
  const { pollMs, leaseMs, everyMs } = settings;
  const wakeSignal = createWakeSignal();
  const ended = new AbortController();
  const rest = (tookMs: number): Promise<void> =>
    sleep(restFactor * tookMs, undefined, { signal: ended.signal }).catch(() => undefined);

  async function run(): Promise<void> {
    while (!ended.signal.aborted) {
      const wasDue = await removeNext().catch((error: unknown) => {
        // What it had claimed stays its own until the lease ends.
        log.warn({ err: error }, 'old executions cannot be removed right now');
        return false;
      });
      // A little jitter keeps several processes from asking at the same moments.
      if (!wasDue) await wakeSignal.wait(pollMs * (0.75 + 0.5 * Math.random()));
    }
  }

  async function removeNext(): Promise<boolean> {
    const claimed = await claimRetention(database, leaseMs);
    if (claimed !== undefined) await remove(claimed);
    return claimed !== undefined;
  }

  async function remove(claimed: ClaimedRetention): Promise<void> {
    const goesOn = (): boolean => !ended.signal.aborted;
    const { deleted, isEnd } = await pruneEnvironment({ database, actor }, claimed, { maxChunks, rest, goesOn });
    if (isEnd && deleted > 0) await pruneKept(database, claimed.workspaceId);
    await postponeRetention(database, claimed, isEnd ? everyMs : 0);
  }

  let running: Promise<void> | undefined;
  return {
    start: () => void (running ??= run()),
    async stop() {
      ended.abort();
      wakeSignal.raise();
      await running;
    },
  };
}
