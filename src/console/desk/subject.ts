import type { Decision, Evaluation, Model, Schemas } from '../api/types.js';

/** A model with what is asked of it: a version that is read, or a draft that is written. */
export interface Subject {
  readonly decision: Pick<Decision, 'id' | 'key' | 'latestVersion'>;
  readonly model: Model;
  /** The version that it is, 0 for the working copy; null for a draft that nobody has saved. */
  readonly version: number | null;
  /** Another one for each state of what is stored. */
  readonly state: string | null;
  /** Null while they are being read. */
  readonly schemas: Pick<Schemas, 'input' | 'output'> | null;
  /** @param fact JSON */
  readonly evaluate: (fact: string, signal?: AbortSignal) => Promise<Evaluation>;
  /** Changes the draft; left out where it is only read. */
  readonly edit?: ((change: (model: Model) => Model) => void) | undefined;
}
