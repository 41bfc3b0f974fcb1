import { type Connection, now } from '../storage/database.js';

/** Erasures that are asked for and not done. */
export interface WaitingErasures {
  readonly count: number;
  /** Milliseconds since the oldest of them was asked for; 0 when there is none. */
  readonly oldestMs: number;
}

/** Those of all tenants, for metrics: by their jobs, since what is done has none. */
export async function readWaitingErasures(connection: Connection): Promise<WaitingErasures> {
  const [row] = await connection('jobs')
    .join('erasures', { 'erasures.workspace_id': 'jobs.workspace_id', 'erasures.id': 'jobs.id' })
    .where('jobs.kind', 'erasure')
    .count({ total: '*' })
    .select<{ readonly total: number | string; readonly oldest_us: number | string | null }[]>(
      connection.raw(`TIMESTAMPDIFF(MICROSECOND, MIN(erasures.created_at), ${now}) AS oldest_us`),
    );
  return { count: Number(row?.total ?? 0), oldestMs: Math.max(0, Number(row?.oldest_us ?? 0) / 1000) };
}
