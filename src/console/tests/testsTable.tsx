import { shortJson } from '../api/exactJson.js';
import type { ModelTest, TestReport } from '../api/types.js';
import { Table } from '../parts/table.js';

interface TestsTableProps {
  readonly tests: readonly ModelTest[];
  /** Of these tests; null before they ran. */
  readonly report: TestReport | null;
  readonly onEdit: (index: number) => void;
  readonly onRemove: (index: number) => void;
  /** Shows the test's fact where it can be run. */
  readonly onOpen: (index: number) => void;
}

const columns = ['Test', 'Outcome', 'Given', 'Expected', 'Actions'] as const;

/** A model's tests, and what came of each. */
export const TestsTable = ({ tests, report, onEdit, onRemove, onOpen }: TestsTableProps) => (
  <Table
    label="Tests"
    columns={columns}
    rows={tests}
    cells={(test, index) => {
      const name = test.name ?? `test ${index + 1}`;
      const buttons = [
        ['Open', onOpen],
        ['Edit', onEdit],
        ['Remove', onRemove],
      ] as const;
      return (
        <>
          <th scope="row" class="wrapped">
            {name}
          </th>
          <td>
            <Outcome result={report?.tests[index]} />
          </td>
          <Value value={test.input} />
          <Value value={test.output} />
          <td>
            <div class="actions">
              {buttons.map(([verb, act]) => (
                <button key={verb} type="button" aria-label={`${verb} ${name}`} onClick={() => act(index)}>
                  {verb}
                </button>
              ))}
            </div>
          </td>
        </>
      );
    }}
  />
);

const maxShown = 160;

function Value({ value }: { readonly value: unknown }) {
  const text = shortJson(value);
  return (
    <td class="wrapped" title={text.slice(0, 2000)}>
      <code>{text.length > maxShown ? `${text.slice(0, maxShown)}…` : text}</code>
    </td>
  );
}

function Outcome({ result }: { readonly result: TestReport['tests'][number] | undefined }) {
  if (result === undefined) return <span class="soft">not run</span>;
  if (result.passed) return <span class="mark good">passed</span>;
  return (
    <>
      <span class="mark bad">failed</span>
      <ul class="words">
        {result.differences.map(({ pointer, expected, actual }) => (
          <li key={pointer}>
            {pointer === '' ? 'all of it' : <code>{pointer.slice(1).replaceAll('/', '.')}</code>}: expected{' '}
            <code>{shortJson(expected)}</code>, got <code>{shortJson(actual)}</code>
          </li>
        ))}
      </ul>
    </>
  );
}
