import Type, { type Static } from 'typebox';
import type { Column } from '../storage/columns.js';

const count = { minimum: 1, maximum: 100_000 };

/** How often a client, or all who use a workspace, may ask. */
export const Limit = Type.Object(
  {
    perSecond: Type.Integer({ ...count, description: 'Requests a second, for as long as they come' }),
    burst: Type.Integer({ ...count, description: 'Requests that may come at once after a pause' }),
  },
  { additionalProperties: false, title: 'Limit', description: 'Requests beyond it are answered 429 `rate_limited`' },
);
export type Limit = Readonly<Static<typeof Limit>>;

/** The limit of a row. */
export const limitColumn: Column<Limit | null> = {
  names: ['rate_per_second', 'rate_burst'],
  read: ({ rate_per_second: perSecond, rate_burst: burst }) =>
    typeof perSecond === 'number' && typeof burst === 'number' ? { perSecond, burst } : null,
  write: (limit) => ({ rate_per_second: limit?.perSecond ?? null, rate_burst: limit?.burst ?? null }),
};

/** Whether `limit` lets no more through than `own`. */
export const isWithin = (limit: Limit | null, own: Limit | null): boolean =>
  own === null || (limit !== null && limit.perSecond <= own.perSecond && limit.burst <= own.burst);
