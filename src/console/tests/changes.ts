import type { ModelTest } from '../api/types.js';

/** Another list of tests for the one that there is. Throws where they do not go together. */
export type TestChange = (tests: readonly ModelTest[]) => readonly ModelTest[];

/** Puts another test, or none (null), in place of one that was seen there. */
export const replaced =
  (index: number, seen: ModelTest, next: ModelTest | null): TestChange =>
  (tests) => {
    if (JSON.stringify(tests[index]) !== JSON.stringify(seen)) {
      throw new Error('The tests were changed meanwhile. Load the page anew to see them.');
    }
    return tests.flatMap((test, at) => (at !== index ? [test] : next === null ? [] : [next]));
  };

export const added =
  (more: readonly ModelTest[]): TestChange =>
  (tests) => [...tests, ...more];

/** A name that no test has yet. */
export function freshTestName(tests: readonly ModelTest[]): string {
  const taken = new Set(tests.map(({ name }) => name));
  for (let number = tests.length + 1; ; number++) if (!taken.has(`test ${number}`)) return `test ${number}`;
}
