export interface Source {
  readonly path: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

export const isModelFile = (name: string): boolean => name.endsWith('.json') || name.endsWith('.dmn');

export class SourceError extends Error {
  override readonly name = 'SourceError';
}
