import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Logger } from 'pino';
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
  const ended = new AbortController();
  let isNarrow = false;
  let running: Promise<void> | undefined;

  async function follow(): Promise<void> {
    while (!ended.signal.aborted && !isNarrow) {
      await look().catch((error: unknown) =>
        log.warn({ err: error }, 'records cannot be given their routes right now'),
      );
      if (!isNarrow) await sleep(layoutPollMs, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  }

  /** While it is wide, processes of the version before may write records without a route. */
  async function look(): Promise<void> {
    await read();
    let after: Buffer | undefined = Buffer.alloc(16);
    for (let pieces = 0; !isNarrow && !ended.signal.aborted && after !== undefined && pieces < maxPieces; pieces++)
      after = (await fillRoutes(database, after))?.last;
  }

  async function read(): Promise<void> {
    isNarrow ||= await readIsNarrow(database);
  }

  return {
    get isNarrow() {
      return isNarrow;
    },
    read,
    start: () => void (running ??= follow()),
    async stop() {
      ended.abort();
      await running;
    },
  };
}

async function readIsNarrow(database: Knex): Promise<boolean> {
  const [row] = (await database('execution_layout').select('narrow').limit(1)) as { narrow: number }[];
  return row?.narrow === 1;
}
