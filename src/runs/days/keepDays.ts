import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { PollLoop } from '../../clock/pollLoop.js';
import { holdingDays, makeDays } from './days.js';
import { environmentsIn, isRetained, removeDays, type PruneTrails } from './removeDays.js';

/** In its entries of the audit trail. */
const actor = { principal: 'system:retention', requestId: null };

/** Makes days ahead, and removes those of which no environment keeps any record. False where another process is at it. */
export const keepDays = (database: Knex, trails: PruneTrails = new Map()): Promise<boolean> =>
  holdingDays(database, async () => {
    await makeDays(database);
    await removeDays(
      { database, actor },
      {
        before: new Date(),
        isKept: (day) => isRetained(database, day),
        ownersIn: (day) => environmentsIn(database, day),
        trails,
      },
    );
  });

/** Does so again and again. */
export function createDayKeeper(database: Knex, log: Pick<Logger, 'warn'>, pollMs: number): PollLoop {
  const trails: PruneTrails = new Map();
  return new PollLoop({
    pollMs,
    round: () => keepDays(database, trails).then(() => false),
    failed: (error) => log.warn({ err: error }, 'days of executions cannot be made or removed right now'),
  });
}
