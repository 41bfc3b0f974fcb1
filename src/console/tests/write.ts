import type { Operations } from '../api/operations.js';
import type { ModelTest } from '../api/types.js';

/** Another list of tests for the one that there is. Throws where they do not go together. */
export type TestChange = (tests: readonly ModelTest[]) => readonly ModelTest[];

/** Changes the tests of a decision's working copy, and nothing else of it. Rejects where somebody else wrote meanwhile. */
export async function writeTests(api: Operations, decisionId: string, change: TestChange): Promise<void> {
  const { decision, tag } = await api.decisionWithTag(decisionId);
  const { content } = await api.version(decisionId, 0);
  const changed = { ...content, tests: change(content.tests ?? []) };
  // A working copy that has errors already may be kept with them.
  await api.updateDecision(decisionId, changed, { force: decision.faults > 0, tag });
}

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
