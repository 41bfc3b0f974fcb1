import { isSame } from '../api/exactJson.js';
import type { Operations } from '../api/operations.js';
import type { Model, ModelTest } from '../api/types.js';
import { isObject } from '../graph/fields.js';
import type { TestOutcome } from '../tests/testsTable.js';

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
  onTried: (index: number, outcome: TestOutcome) => void,
): Promise<void> {
  const isOver = (): boolean => signal.aborted;
  let next = 0;
  const work = async (): Promise<void> => {
    for (let at = next++; at < tests.length && !isOver(); at = next++) {
      const test = tests[at];
      if (test === undefined) return;
      try {
        const { result } = await api.evaluateDraft(key, model, JSON.stringify(test.input), signal);
        const differences = differencesOf(test.output, result);
        onTried(at, { passed: differences.length === 0, differences, failure: null });
      } catch (failure) {
        if (!isOver()) onTried(at, { passed: false, differences: [], failure });
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

/** Where two values differ, as the service tells it of a version's tests. */
function differencesOf(expected: unknown, actual: unknown, pointer = ''): TestOutcome['differences'] {
  if (isSame(expected, actual)) return [];
  if (!isObject(expected) || !isObject(actual)) return [{ pointer, expected, actual }];
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...names].flatMap((name) => differencesOf(expected[name], actual[name], `${pointer}/${name}`));
}
