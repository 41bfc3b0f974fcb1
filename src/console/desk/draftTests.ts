import { isSame } from '../api/exactJson.js';
import type { Operations } from '../api/operations.js';
import type { Model, ModelTest } from '../api/types.js';

/** What came of a test on the draft. */
export interface Tried {
  readonly passed: boolean;
  readonly result: unknown;
  /** Why there is no result. */
  readonly failure: unknown;
}

/** So many at a time: others' work is waiting, too. */
const atOnce = 4;

/** Runs tests on a draft, until the signal. @param onTried is told of each, in whatever order they end */
export async function tryTests(
  {
    api,
    key,
    model,
    signal,
  }: { readonly api: Operations; readonly key: string; readonly model: Model; readonly signal: AbortSignal },
  tests: readonly ModelTest[],
  onTried: (index: number, tried: Tried) => void,
): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < tests.length && !signal.aborted; at = next++) {
      const test = tests[at];
      if (test === undefined) return;
      try {
        const { result } = await api.evaluateDraft(key, model, JSON.stringify(test.input), signal);
        onTried(at, { passed: isSame(test.output, result), result, failure: null });
      } catch (failure) {
        if (!signal.aborted) onTried(at, { passed: false, result: undefined, failure });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
