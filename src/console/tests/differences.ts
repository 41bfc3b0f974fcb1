import { isSame } from '../api/sameJson.js';
import type { TestReport } from '../api/types.js';
import { isObject, stepOf } from '../graph/fields.js';

/** Where two values differ, as the service tells it of a version's tests. */
export function differencesOf(
  expected: unknown,
  actual: unknown,
  pointer = '',
): TestReport['tests'][number]['differences'] {
  if (isSame(expected, actual)) return [];
  if (!isObject(expected) || !isObject(actual)) return [{ pointer, expected, actual }];
  const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
  return [...names].flatMap((name) => differencesOf(expected[name], actual[name], `${pointer}/${stepOf(name)}`));
}
