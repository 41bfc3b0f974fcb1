import type { Box } from './boxes.js';

export type FindingKind = 'gap' | 'shadowed' | 'conflict' | 'overlap' | 'redundant';

/** What boxes say of a table; `region` holds inputs that show it, to be run by the engine before it is told. */
export interface Finding {
  readonly kind: FindingKind;
  /** Indexes of the rows it is about. */
  readonly rows: readonly number[];
  /** Null where there is nothing to run. */
  readonly region: Box | null;
  /** Whether it holds without a witness: in all of the region, or for want of any input at all. */
  readonly isProved: boolean;
  /** Why it could not be decided. */
  readonly reason: string | null;
  /** Of a row in conflict with what its inputs may be, by their types, and not with itself. */
  readonly isOutside?: true;
  /** The one row that takes all that this one would: undefined where it takes several together. */
  readonly hiddenBy?: number;
}

export const proved = (kind: FindingKind, rows: readonly number[], region: Box | null): Finding => ({
  kind,
  rows,
  region,
  isProved: true,
  reason: null,
});

export const undecided = (
  kind: FindingKind,
  rows: readonly number[],
  reason: string,
  region: Box | null = null,
): Finding => ({
  kind,
  rows,
  region,
  isProved: false,
  reason,
});
