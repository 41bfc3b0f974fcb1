import type { TestReport } from '../api/types.js';
import { count, Few } from '../parts/small.js';
import { placeText, ValuesLine } from '../parts/values.js';

type TestResult = TestReport['tests'][number];

/** What a test expected, and what it got in place of it. */
export const TestDifferences = ({ differences }: Pick<TestResult, 'differences'>) => (
  <ul class="words">
    {differences.map(({ pointer, expected, actual }) => (
      <li key={pointer}>
        <code>{placeText(pointer)}</code>: expected <ValuesLine value={expected} />, got <ValuesLine value={actual} />
      </li>
    ))}
  </ul>
);

/** How tests came out: those that fail by name, with what differs. */
export function TestResults({ passed, failed, tests }: Pick<TestReport, 'passed' | 'failed' | 'tests'>) {
  const red = tests.filter((test) => !test.passed);
  if (passed + failed === 0) return <p class="warn">The model has no tests.</p>;
  if (failed === 0) return <p class="soft">{passed === 1 ? 'Its test passes.' : `All ${passed} tests pass.`}</p>;
  return (
    <section aria-label="Failed tests">
      <p class="bad">
        <b>
          {failed} of {count(passed + failed, 'test')} {failed === 1 ? 'fails' : 'fail'}:
        </b>
      </p>
      <ul>
        <Few of={red}>
          {({ name, differences }, at) => (
            <li key={at}>
              <b>{name}</b>
              <TestDifferences differences={differences} />
            </li>
          )}
        </Few>
      </ul>
    </section>
  );
}
