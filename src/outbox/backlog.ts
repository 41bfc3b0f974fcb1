import type { Connection } from '../storage/database.js';

/** Messages that wait to be sent, or were given up. */
export interface Backlog {
  readonly pending: number;
  readonly dead: number;
  /** Milliseconds since the oldest pending message was queued; 0 when none is. */
  readonly oldestMs: number;
}

interface Row {
  readonly state: string;
  readonly total: number | string;
  readonly oldest: Buffer;
}

/** The backlog of all tenants, for metrics. Reads only the entries of these two states in an index. */
export async function readBacklog(connection: Connection): Promise<Backlog> {
  const rows = (await connection('outbox')
    .select('state')
    .count({ total: '*' })
    .min({ oldest: 'id' })
    .whereIn('state', ['pending', 'dead'])
    .groupBy('state')) as unknown as Row[];
  const pending = rows.find(({ state }) => state === 'pending');
  return {
    pending: Number(pending?.total ?? 0),
    dead: Number(rows.find(({ state }) => state === 'dead')?.total ?? 0),
    // The first 48 bits of a UUIDv7 are the milliseconds of its making.
    oldestMs: pending === undefined ? 0 : Math.max(0, Date.now() - pending.oldest.readUIntBE(0, 6)),
  };
}
