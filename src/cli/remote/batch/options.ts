/** Of `verdict batch run`. */
export interface BatchOptions {
  /** Name or id. */
  readonly environmentId: string;
  /** Key or id. */
  readonly decisionId: string;
  readonly output: string | undefined;
  readonly resume: boolean | undefined;
  readonly key: string | undefined;
  readonly reference: string | undefined;
}

/** What it did. */
export interface BatchRun {
  readonly completed: number;
  readonly failed: number;
  /** The file of the results. */
  readonly output: string;
}
