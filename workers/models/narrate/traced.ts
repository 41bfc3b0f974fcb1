import { fromJson, shown } from '../../engine/index.js';

/** An entry of a trace. */
export interface Traced {
  readonly id: string;
  readonly name: string;
  readonly order: number;
  readonly input: unknown;
  readonly output: unknown;
  readonly traceData: unknown;
  readonly error?: { readonly message: string };
}

/** Sentences of one step. */
export const maxSentences = 40;

/** What an element gave, as its result has it: null is a value there. */
export const given = (value: unknown): string =>
  value === null ? 'null' : shown(value === undefined ? value : fromJson(value));
