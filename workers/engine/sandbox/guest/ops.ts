/**
 * What the guest may ask of the host: the only door out of QuickJS. Everything that comes through it is the tenant's
 * word, so the host checks it all again. Known to both sides; bundled into the guest by build.ts.
 */
export const Op = {
  now: 0,
  random: 1,
  log: 2,
  logDropped: 3,
  nodes: 4,
  zen: 5,
  sleep: 6,
  http: 7,
  settle: 8,
  tooLarge: 9,
  fail: 10,
} as const;
export type Op = (typeof Op)[keyof typeof Op];

/** The guest's account of an error that left the handler. */
export interface GuestError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/** What the guest asks of `http`. */
export interface GuestRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: unknown;
  readonly params?: unknown;
  readonly data?: unknown;
  readonly auth?: unknown;
}

/** What the guest asks of `zen`. */
export interface GuestExpression {
  readonly unary: boolean;
  readonly expression: string;
  readonly context: unknown;
}
