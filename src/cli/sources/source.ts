/** A file that an import was given. */
export interface Source {
  /** As people find it again: its path, or its path inside a zip. */
  readonly path: string;
  /** Becomes the decision's key, once checked. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Whether a file's name says that it holds a model, or a model's tests. */
export const isModelFile = (name: string): boolean => name.endsWith('.json') || name.endsWith('.dmn');

/** Why something can't be imported at all; one line, with the path. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}
