/** Tells how a traced run came about, for people. */
export interface NarrateTask {
  readonly kind: 'narrate';
  /** As for a run. */
  readonly bundle: string;
  /** JSON of the trace. */
  readonly trace: string;
  /** What its reader understands, the best first: `fi-FI`, `en`. */
  readonly languages: readonly string[];
}

/** What one node did. */
export interface Step {
  /** The node's name. */
  readonly node: string;
  /** What follows the name: `chose the first branch, because debtRatio was 0.575, more than 0.5`. */
  readonly sentences: readonly string[];
  /** What the model says of the way that was taken, in its reader's language. */
  readonly reasons: readonly { readonly text: string; readonly language: string }[];
  /** Of a decision that the node asked. */
  readonly inside: readonly Step[];
}

export interface NarrateAnswer {
  readonly steps: readonly Step[];
  /** Nodes that are not told, as there are too many. */
  readonly left: number;
}

/** Tells in words what differs between two models. */
export interface ChangesTask {
  readonly kind: 'changesInWords';
  /** The older one; JSON, as bytes, which the main thread neither reads nor writes out. */
  readonly from: Uint8Array;
  readonly to: Uint8Array;
}

/** How much of a table changed. */
export interface ChangedCells {
  /** Cells that differ, of rows that were there before and are now. */
  cells: number;
  /** Rows that came, and that went; left out where none did. */
  added?: number;
  removed?: number;
}

export interface ChangesAnswer {
  readonly changes: readonly (Readonly<ChangedCells> & {
    /** The name of what it is of, such as a table. */
    readonly node: string;
    readonly sentences: readonly string[];
  })[];
  /** Sentences that are not told, as there are too many. */
  readonly left: number;
}
