/** Why an explanation is not exact. */
export const inexactReasons = [
  /** The record is not the one that was made: somebody changed or added it (src/evidence). */
  'altered',
  /** What was recorded was erased for good (src/erasures). */
  'erased',
  'facts_not_recorded',
  'fact_redacted',
  /** A function node calls another host. */
  'http',
  'configuration_gone',
  'program_gone',
  'engine_changed',
  /** A limit of time, memory or size ended the run, then or now. */
  'limit',
] as const;
export type InexactReason = (typeof inexactReasons)[number];

/** What a recorded execution came to when it was run again. */
export interface Explanation {
  /** It came out just as it is recorded. */
  readonly exact: boolean;
  readonly reasons: readonly InexactReason[];
  /** JSON text as all texts of runs; null where nothing was run, or it did not come to a result. */
  readonly result: string | null;
  readonly trace: string | null;
}
