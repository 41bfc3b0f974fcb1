import { isSame } from '../api/sameJson.js';
import type { ModelTest } from '../api/types.js';
import { isObject, type Fields } from '../graph/fields.js';

// A decision may pass its fact on beside what it decides: that belongs to its answer, and nobody wants to write or read it twice.

const isPassed =
  (input: unknown) =>
  ([name, value]: readonly [string, unknown]): boolean =>
    isObject(input) && Object.hasOwn(input, name) && isSame(value, input[name]);

/** A test that expects what is passed on as well, where it says nothing of it. @param result what the decision gives now */
export function withPassedOn(test: ModelTest, result: unknown): ModelTest {
  const { input, output } = test;
  if (!isObject(output) || !isObject(result)) return test;
  const passed: Fields = Object.fromEntries(Object.entries(result).filter(isPassed(input)));
  return { ...test, output: { ...passed, ...output } };
}

/** A test that expects as well what nobody has said of any of them, as the decision gives it now. @param said the names that are */
export function withOthers(test: ModelTest, result: unknown, said: ReadonlySet<string>): ModelTest {
  const { output } = test;
  if (!isObject(output) || !isObject(result)) return test;
  return { ...test, output: { ...Object.fromEntries(othersIn(result, said)), ...output } };
}

/** What a result has beside these names. */
export const othersIn = (result: unknown, said: ReadonlySet<string>): readonly (readonly [string, unknown])[] =>
  isObject(result) ? Object.entries(result).filter(([name]) => !said.has(name)) : [];

/** What a test expects beside what is passed on. */
export function decidedIn({ input, output }: Partial<ModelTest>): unknown {
  if (!isObject(output)) return output;
  const passed = isPassed(input);
  const decided = Object.entries(output).filter((member) => !passed(member));
  return decided.length === 0 ? output : Object.fromEntries(decided);
}
