export interface Source {
  readonly path: string;
  /** Becomes the decision's key, once checked. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Whether a file's name says that it holds a model, or a model's tests. */
export const isModelFile = (name: string): boolean => name.endsWith('.json') || name.endsWith('.dmn');

export class SourceError extends Error {
  override readonly name = 'SourceError';
}
