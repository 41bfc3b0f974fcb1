import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { PollLoop } from '../../clock/pollLoop.js';
import { holdingDays, makeDays } from './days.js';
import { environmentsIn, isRetained, removeDays, type PruneTrails } from './removeDays.js';

/** In its entries of the audit trail. */
const actor = { principal: 'system:retention', requestId: null };

/**
 * Makes days ahead, and removes those of which no environment keeps any record. Each day goes in a transaction of its own, which
 * holds what the environments are told to keep: a change of that waits for one drop, and none comes after it is answered.
 * @returns false where another process is at it
 */
export async function keepDays(database: Knex, trails: PruneTrails = new Map()): Promise<boolean> {
  for (let removed = 1; removed > 0;) {
    const isHeld = await holdingDays(database, async (held) => {
      await makeDays(database);
      removed = await removeDays(
        { database, actor },
        {
          before: new Date(),
          isKept: (day) => isRetained(database, day, held),
          ownersIn: (day) => environmentsIn(database, day),
          trails,
          most: 1,
        },
      );
    });
    if (!isHeld) return false;
  }
  return true;
}

/** Does so again and again. */
export function createDayKeeper(database: Knex, log: Pick<Logger, 'warn'>, pollMs: number): PollLoop {
  const trails: PruneTrails = new Map();
  return new PollLoop({
    pollMs,
    round: () => keepDays(database, trails).then(() => false),
    failed: (error) => log.warn({ err: error }, 'days of executions cannot be made or removed right now'),
  });
}
