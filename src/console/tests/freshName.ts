import type { ModelTest } from '../api/types.js';

/** A name that no test has yet. */
export function freshTestName(tests: readonly ModelTest[]): string {
  const taken = new Set(tests.map(({ name }) => name));
  for (let number = tests.length + 1; ; number++) if (!taken.has(`test ${number}`)) return `test ${number}`;
}
