import type { ModelTest, TestReport } from '../api/types.js';
import { count, Button } from '../parts/small.js';
import { placeText, ValuesLine } from '../parts/values.js';
import { Failure } from '../parts/failure.js';
import { Table, type Column, Few, OwnName } from '../parts/table.js';
import { decidedIn } from '../facts/passedOn.js';

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

/** What came of a test. */
export interface TestOutcome extends Pick<TestReport['tests'][number], 'passed' | 'differences'> {
  /** Why it could not be run; null where it was. */
  readonly failure: unknown;
  /** What its tables and switches chose, in words; of a test that fails. */
  readonly how?: readonly string[];
}

interface TestsTableProps {
  readonly tests: readonly ModelTest[];
  /** Of a test; undefined before it ran. */
  readonly outcomeOf: (index: number) => TestOutcome | undefined;
  /** By which it has its place. */
  readonly placeOf: (index: number) => TestOutcome | undefined;
  /** What can be done with each, by the names of the buttons. */
  readonly actions: readonly (readonly [verb: string, act: (index: number) => void])[];
}

/** What a test is called. */
export const testName = (test: Pick<ModelTest, 'name'>, index: number): string => test.name ?? `test ${index + 1}`;

/** A model's tests, and what came of each. */
export function TestsTable({ tests, outcomeOf, placeOf, actions }: TestsTableProps) {
  const nameOf = (index: number): string => testName(tests[index] ?? {}, index);
  // Of many, those that fail are looked for, and what is new among those that ran.
  const isUsual = (index: number): number => {
    const passed = placeOf(index)?.passed;
    return passed === undefined ? 1 : Number(passed) * 2;
  };
  const rows = [...tests.keys()].sort((one, other) => isUsual(one) - isUsual(other));
  const given = (name: string, value: unknown) => (
    <>
      <OwnName name={name} />
      <ValuesLine value={value} />
    </>
  );
  const columns: readonly Column<number>[] = [
    ['Test', nameOf, 'wrapped'],
    ['Outcome', (index) => <Outcome outcome={outcomeOf(index)} />],
    ['Given', (index) => given('Given', tests[index]?.input), 'wrapped'],
    ['Expected', (index) => given('Expected', decidedIn(tests[index] ?? {})), 'wrapped'],
    [
      'Actions',
      (index) => (
        <div class="actions">
          {actions.map(([verb, act]) => (
            <Button name={verb} key={verb} aria-label={`${verb} ${nameOf(index)}`} onClick={() => act(index)} />
          ))}
        </div>
      ),
    ],
  ];
  return <Table label="Tests" columns={columns} rows={rows} isOneStop />;
}

function Outcome({ outcome }: { readonly outcome: TestOutcome | undefined }) {
  if (outcome === undefined) return <span class="soft">not run</span>;
  if (outcome.passed) return <span class="mark good">passed</span>;
  return (
    <>
      <span class="mark bad">failed</span>
      <Failure error={outcome.failure} />
      <TestDifferences differences={outcome.differences} />
      {outcome.how !== undefined && outcome.how.length > 0 && (
        <p class="soft small">How it came about: {outcome.how.join('; ')}.</p>
      )}
    </>
  );
}
