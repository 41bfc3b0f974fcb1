import type { Knex } from 'knex';
import type { Logger } from 'pino';
import { PollLoop } from '../scheduler/pollLoop.js';
import { mendDividing } from './days/divide.js';
import { fillRoutes, layoutPollMs } from './narrow.js';

/**
 * Whether records tell by numbers what they have in common, or tell themselves what processes of the version before read.
 * It becomes narrow once (`verdict execution narrow`), and never wide again.
 */
export interface RecordLayout {
  readonly isNarrow: boolean;
  /** Reads it. Wide until then, which is never wrong. */
  read(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** Statements that give records their routes, each time. */
const maxPieces = 20;

export function createRecordLayout(database: Knex, log: Pick<Logger, 'warn'>): RecordLayout {
  let isNarrow = false;
  const loop = new PollLoop({
    pollMs: layoutPollMs,
    round: look,
    failed: (error) => log.warn({ err: error }, 'the table of executions cannot be brought to its layout right now'),
  });

  /** While it is wide, processes of the version before may write records without a route. */
  async function look(): Promise<boolean> {
    await read();
    let after: Buffer | undefined = Buffer.alloc(16);
    for (let pieces = 0; goesOn() && after !== undefined && pieces < maxPieces; pieces++)
      after = (await fillRoutes(database, after))?.last;
    // Nothing is left to follow once it is narrow, and divided into days.
    if (isNarrow && (await mendDividing(database))) void loop.stop();
    return false;
  }

  const goesOn = (): boolean => !isNarrow && !loop.stopping.aborted;

  async function read(): Promise<void> {
    isNarrow ||= await readIsNarrow(database);
  }

  return {
    get isNarrow() {
      return isNarrow;
    },
    read,
    start: () => loop.start(),
    stop: () => loop.stop(),
  };
}

async function readIsNarrow(database: Knex): Promise<boolean> {
  const [row] = (await database('execution_layout').select('narrow').limit(1)) as { narrow: number }[];
  return row?.narrow === 1;
}
