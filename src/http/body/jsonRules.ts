import { Problem, type Violation } from '../../errors.js';

export interface ScanLimits {
  readonly maxDepth: number;
  readonly maxValues: number;
}

/** What a scanner keeps of what it reads. */
export interface Kept {
  /** Members of the outermost value that its outline has at most. */
  readonly maxOutline: number;
  /** The member of the outermost object whose list of items is located, and the most items that are. */
  readonly list?: { readonly name: string; readonly maxItems: number };
}

/** Messages for JSON that MySQL or a model can't handle. */
export const messages = {
  nul: 'must not contain the NUL character',
  surrogate: 'must not contain a lone surrogate',
  prototype: 'is not allowed as a name',
  range: 'is beyond the range of a number',
} as const;

/** A cheap test for what may be a fault: escapes (NUL, lone surrogates), `__proto__`, numbers beyond a double's range. */
export const suspicious = /\\u|__proto__|\d[eE]\+?\d|(?<!\d)\d{300}/;

export const unprocessable = (errors: readonly Violation[]): Problem =>
  new Problem('validation_failed', 'The body holds text or numbers that cannot be processed.', { errors });
