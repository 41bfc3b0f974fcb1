import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { createJobLoop, type PollLoop } from '../../scheduler/pollLoop.js';
import { startOfDay } from '../days/days.js';
import { keepDays } from '../days/keepDays.js';
import { pruneEnvironment } from '../prune.js';
import { pruneKept } from '../pruneKept.js';
import { claimRetention, createRetentionTurns, postponeRetention, type ClaimedRetention } from './retention.store.js';

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

/** Removes executions that are older than their environment keeps them, of one environment at a time. */
export function createRetention({ database, log, settings }: Dependencies): PollLoop {
  const { pollMs, leaseMs, everyMs } = settings;
  const turns = createRetentionTurns();
  const loop = createJobLoop<ClaimedRetention>({
    pollMs,
    atOnce: 1,
    claim: () => claimRetention(database, turns, leaseMs),
    work: remove,
    failed: (error) => log.warn({ err: error }, 'old executions cannot be removed right now'),
  });
  const rest = (tookMs: number): Promise<void> =>
    sleep(restFactor * tookMs, undefined, { signal: loop.stopping }).catch(() => undefined);
  return loop;

  async function remove(claimed: ClaimedRetention): Promise<void> {
    // First what nobody keeps goes as a whole. Only whole days go: the rest of one would be deleted piece by piece.
    if (!(await keepDays(database))) return postponeRetention(database, claimed, pollMs);
    const goesOn = (): boolean => !loop.stopping.aborted;
    const request = { ...claimed, before: new Date(startOfDay(claimed.before.getTime())) };
    const { deleted, isEnd } = await pruneEnvironment({ database, actor }, request, { maxChunks, rest, goesOn });
    if (isEnd && deleted > 0) await pruneKept(database, claimed.workspaceId);
    await postponeRetention(database, claimed, isEnd ? everyMs : 0);
  }
}
