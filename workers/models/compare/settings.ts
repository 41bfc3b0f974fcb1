/** How recorded results are compared with those of another version. */
export interface ComparisonSettings {
  /** JSON Pointers of what does not count; `*` stands for every item of a list. */
  readonly ignore: readonly string[];
  /** Numbers that differ by no more than this are the same. */
  readonly tolerance: number;
  readonly measures: readonly MeasureSettings[];
  /** Names of what is told of cases later on: which results had which outcome is counted. */
  readonly outcomes: readonly string[];
  /** The result that is held against the outcomes; null where none is. */
  readonly stated: StatedResult | null;
  /** Whether it is counted what of the candidate's model the cases reach: each then runs once more. */
  readonly reach: boolean;
}

/** A result is this outcome where it has this value at this pointer. */
export interface StatedResult {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string;
  readonly equals: string | number | boolean | null;
}

/** A number that is made of all runs, by the recorded results and by those of the candidate. */
export interface MeasureSettings {
  readonly name: string;
  /** ZEN over `{fact, result}`. */
  readonly expression: string;
  readonly aggregate: Aggregate;
}

type Aggregate = 'sum' | 'mean' | 'count' | 'min' | 'max' | 'share';
