/** How recorded results are compared with those of another version. */
export interface ComparisonSettings {
  /** JSON Pointers of what does not count; `*` stands for every item of a list. */
  readonly ignore: readonly string[];
  /** Numbers that differ by no more than this are the same. */
  readonly tolerance: number;
  readonly measures: readonly MeasureSettings[];
}

/** A number that is made of all runs, by the recorded results and by those of the candidate. */
export interface MeasureSettings {
  readonly name: string;
  /** ZEN over `{fact, result}`. */
  readonly expression: string;
  readonly aggregate: Aggregate;
}

export type Aggregate = 'sum' | 'mean' | 'count' | 'min' | 'max' | 'share';
