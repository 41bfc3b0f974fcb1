import type { Fault, Model } from '../api/types.js';

/** A model that was made of a file, and is kept nowhere yet. */
export interface FileModel {
  readonly content: Model;
  readonly faults: readonly Fault[];
}

/** A spreadsheet as a model with a table of it. */
export interface Sheet extends FileModel {
  /** The names of its columns. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}
