import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { PollLoop } from '../../scheduler/pollLoop.js';
import { holdingDays, makeDays } from './days.js';
import { isRetained, removeDays } from './removeDays.js';

/** In its entries of the audit trail. */
const actor = { principal: 'system:retention', requestId: null };

/** Makes days ahead, and removes those of which no environment keeps any record. False where another process is at it. */
export const keepDays = (database: Knex): Promise<boolean> =>
  holdingDays(database, async () => {
    await makeDays(database);
    await removeDays({ database, actor }, new Date(), (day) => isRetained(database, day));
  });

/** Does so again and again. */
export const createDayKeeper = (database: Knex, log: Pick<Logger, 'warn'>, pollMs: number): PollLoop =>
  new PollLoop({
    pollMs,
    round: () => keepDays(database).then(() => false),
    failed: (error) => log.warn({ err: error }, 'days of executions cannot be made or removed right now'),
  });
