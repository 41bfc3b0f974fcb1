import type { Content } from '../contents.store.js';
import type { DecisionEntry } from '../decisionIndex.js';
import type { NewVersion } from '../versions.store.js';

/** All that one command changes. */
export interface Writes {
  readonly contents: readonly Content[];
  readonly inserted: readonly DecisionEntry[];
  /** With the revision that they were read with; the next one is written. */
  readonly updated: readonly DecisionEntry[];
  readonly removed: readonly DecisionEntry[];
  readonly versions: readonly NewVersion[];
}

export const noWrites: Writes = { contents: [], inserted: [], updated: [], removed: [], versions: [] };
