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

/** Runs tests on a draft. @param onTried is told of each, in whatever order they end */
export async function tryTests(
  { api, key, model }: { readonly api: Operations; readonly key: string; readonly model: Model },
  tests: readonly ModelTest[],
  onTried: (index: number, tried: Tried) => void,
): Promise<void> {
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < tests.length; at = next++) {
      const test = tests[at];
      if (test === undefined) return;
      try {
        const { result } = await api.evaluateDraft(key, model, JSON.stringify(test.input));
        onTried(at, { passed: isSame(test.output, result), result, failure: null });
      } catch (failure) {
        onTried(at, { passed: false, result: undefined, failure });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** The order of keys says nothing. */
const isSame = (one: unknown, other: unknown): boolean => sorted(one) === sorted(other);

const sorted = (value: unknown): string =>
  JSON.stringify(value ?? null, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) && !('rawJSON' in inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
