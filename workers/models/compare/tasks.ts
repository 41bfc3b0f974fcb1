import type { MeasureTally } from './measureTally.js';
import type { OutcomeTally } from './outcomes.js';
import type { ComparisonSettings } from './settings.js';

/**
 * Runs recorded facts on another program, the candidate, and compares what it gives with what was recorded. The program
 * that they were recorded with runs again too, so that the times of both are of the same moment and machine.
 */
export interface CompareTask {
  readonly kind: 'compare';
  readonly workspaceId: string;
  /** As of a run. */
  readonly configurationId: string;
  readonly configuration?: string;
  /** The candidate first, then those that cases name; with their bundles where a thread lacked them. */
  readonly programs: readonly ComparedProgram[];
  readonly settings: ComparisonSettings;
  readonly cases: readonly CompareCase[];
  /** Where it is there, this is held against the candidate's model, of which the bundle is needed, and there is no case. */
  readonly reached?: readonly Counted[];
}

interface ComparedProgram {
  readonly programId: string;
  /**
   * Whether its runs get the values of secret variables: it was in force in the environment. A run of another program that
   * reads one is not compared.
   */
  readonly getsSecrets: boolean;
  readonly bundle?: string;
}

/** A recorded run. Texts are JSON, redacted. */
export interface CompareCase {
  /** Null where facts are not recorded. */
  readonly fact: string | null;
  /** As JSON; null for none. */
  readonly selection?: string | null | undefined;
  readonly result: string;
  readonly completed: boolean;
  /** It held a secret, so that it is not what was run. */
  readonly factRedacted: boolean;
  /** Of both runs, as of a `RunTask`. */
  readonly clock: number;
  readonly seed: number;
  /** In the order of the settings, JSON; null where nothing is known. */
  readonly outcomes: readonly (string | null)[];
  /** Which of the task's programs it was recorded with; null where that is not to be run. */
  readonly program: number | null;
}

/** What of the task the thread does not hold: send it again with that. Nothing was run. */
export interface Lacking {
  /** Indexes of programs. */
  readonly programs: readonly number[];
  readonly configuration: boolean;
}

export interface CompareAnswer {
  readonly lacking: Lacking | null;
  /** Measures that cannot be compiled; then nothing was run. */
  readonly faults: readonly { readonly measure: number; readonly message: string }[];
  /** Of the first so many cases: the others are for another piece. */
  readonly done: number;
  readonly tallies: PieceTallies;
  readonly differences: readonly Difference[];
  /** JSON of `Reach`; null unless `reached` was given. */
  readonly reach: string | null;
}

/** A case that came out otherwise. */
export interface Difference {
  /** Which case. */
  readonly index: number;
  /** JSON: a list of `{pointer, before, after}`, shortened where it is long. */
  readonly changes: string;
  /** The pointers of the changes. */
  readonly pointers: readonly string[];
}

/** Why nothing can be said of a case: the last two because of a secret that it read, and of a limit that it passed. */
export type SkipReason = 'facts_not_recorded' | 'fact_redacted' | 'http' | 'secret' | 'limit';

/** Counts of a piece's cases. */
export interface PieceTallies {
  readonly identical: number;
  readonly changed: number;
  readonly newlyFailed: number;
  readonly newlyCompleted: number;
  readonly skipped: Readonly<Partial<Record<SkipReason, number>>>;
  /** Pointers that changed, with the number of cases. */
  readonly fields: readonly Counted[];
  /** JSON of `{pointer, before, after}`, with the number of cases. */
  readonly transitions: readonly Counted[];
  /** In the order of the settings. */
  readonly measures: readonly MeasurePair[];
  /** In the order of the settings. */
  readonly outcomes: readonly OutcomeTally[];
  /** What of the candidate's model was reached, as `ReachCounter` counts it. */
  readonly reached: readonly Counted[];
  /** Microseconds in the engine, of every run. */
  readonly beforeUs: readonly number[];
  readonly afterUs: readonly number[];
}

export type Counted = readonly [text: string, count: number];

export interface MeasurePair {
  readonly before: MeasureTally;
  readonly after: MeasureTally;
}
