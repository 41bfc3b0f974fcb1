import type { TestReport } from '../api/types.js';
import { count } from '../parts/small.js';
import { ValuesLine } from '../parts/values.js';

type TestResult = TestReport['tests'][number];

/** What a test expected, and what it got in place of it. */
export const TestDifferences = ({ differences }: Pick<TestResult, 'differences'>) => (
  <ul class="words">
    {differences.map(({ pointer, expected, actual }) => (
      <li key={pointer}>
        {pointer === '' ? 'all of it' : <code>{pointer.slice(1).replaceAll('/', '.')}</code>}: expected{' '}
        <ValuesLine value={expected} />, got <ValuesLine value={actual} />
      </li>
    ))}
  </ul>
);

/** More nobody reads; the page of the model has all of them. */
const mostShown = 8;

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
        {red.slice(0, mostShown).map(({ name, differences }, at) => (
          <li key={at}>
            {name}
            <TestDifferences differences={differences} />
          </li>
        ))}
        {red.length > mostShown && <li>… and {red.length - mostShown} more</li>}
      </ul>
    </section>
  );
}
