import Type, { type Static } from 'typebox';

const count = { minimum: 1, maximum: 100_000 };

/** How often a client, or all who use a workspace, may ask. */
export const Limit = Type.Object(
  {
    perSecond: Type.Integer({ ...count, description: 'Requests a second, for as long as they come' }),
    burst: Type.Integer({ ...count, description: 'Requests at once, after as many were left out' }),
  },
  { additionalProperties: false, title: 'Limit', description: 'Requests beyond it are answered 429 `rate_limited`' },
);
export type Limit = Readonly<Static<typeof Limit>>;

/** The columns of a row that may have a limit. */
export interface LimitColumns {
  readonly rate_per_second: number | null;
  readonly rate_burst: number | null;
}

export const limitColumns = ['rate_per_second', 'rate_burst'] as const;

export const limitOf = ({ rate_per_second: perSecond, rate_burst: burst }: LimitColumns): Limit | null =>
  perSecond === null || burst === null ? null : { perSecond, burst };

export const columnsOf = (limit: Limit | null): LimitColumns => ({
  rate_per_second: limit?.perSecond ?? null,
  rate_burst: limit?.burst ?? null,
});

/** Whether `limit` lets no more through than `own`. */
export const isWithin = (limit: Limit | null, own: Limit | null): boolean =>
  own === null || (limit !== null && limit.perSecond <= own.perSecond && limit.burst <= own.burst);
