import type { ProblemCode, ProblemOptions } from '../../errors.js';

/** What people read about a code, on its page and in the OpenAPI document. */
export interface Explanation {
  /** When an answer has the code; one paragraph each. */
  readonly when: readonly string[];
  /** What a caller does about it; one step each. */
  readonly todo: readonly string[];
  /** What the example response is made of: real texts. */
  readonly example: {
    readonly instance: string;
    readonly detail: string;
    readonly options?: ProblemOptions;
  };
  /** Codes that are easily confused with this one, or occur with it. */
  readonly related: readonly ProblemCode[];
}
