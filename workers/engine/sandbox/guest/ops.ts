/**
 * What the guest may ask of the host: the only way out of QuickJS. Everything that comes through it is untrusted, so
 * the host checks it. Known to both sides; bundled into the guest by build.ts.
 */
export const Op = {
  now: 0,
  random: 1,
  /** A JSON array of texts. */
  log: 2,
  logDropped: 3,
  nodes: 4,
  /** The name of a variable of the environment. */
  variable: 12,
  /** `{unary, expression, context}`. */
  zen: 5,
  sleep: 6,
  /** `{method, url, headers?, params?, data?, auth?}`. */
  http: 7,
  /** The output as JSON. */
  settle: 8,
  /** The output's length. */
  tooLarge: 9,
  /** The output nests deeper than it may. */
  tooDeep: 11,
  /** A JSON array of texts: the error's name, message and stack. */
  fail: 10,
} as const;
export type Op = (typeof Op)[keyof typeof Op];
