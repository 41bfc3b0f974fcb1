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
