import { useState } from 'preact/hooks';
import { FileFindings, type FileModel } from '../editor/fileFindings.js';
import { membersOf, rowsOf, textOf } from '../graph/fields.js';
import { Tick, toggled } from '../parts/entries.js';
import { count } from '../parts/small.js';

/** A spreadsheet as a model with a table of it. */
export interface Sheet extends FileModel {
  /** The names of its columns. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** Which columns are to be what. */
export type Sides = Pick<Sheet, 'inputs' | 'outputs'>;

const mostRows = 8;

interface SheetPreviewProps {
  readonly sheet: Sheet;
  readonly onSides: (sides: Sides) => void;
  readonly onChange: (found: FileModel) => void;
}

/** What would be kept of a spreadsheet: its first rows, a box for each column that is an input, and what is wrong with it. */
export const SheetPreview = ({ sheet, onSides, onChange }: SheetPreviewProps) => (
  <>
    <Columns {...{ sheet, onSides }} />
    <FileFindings found={sheet} onChange={onChange} />
  </>
);

function Columns({ sheet, onSides }: Omit<SheetPreviewProps, 'onChange'>) {
  // They stay where they are, and as they were ticked, while the file is read anew for them.
  const [names] = useState([...sheet.inputs, ...sheet.outputs]);
  const [inputs, setInputs] = useState<ReadonlySet<string>>(new Set(sheet.inputs));
  const table = membersOf(sheet.content.nodes.find(({ type }) => type === 'decisionTableNode')?.content);
  const made = [...rowsOf(table, 'inputs'), ...rowsOf(table, 'outputs')].map(({ id }) => textOf(id));
  const ids = new Map([...sheet.inputs, ...sheet.outputs].map((name, at) => [name, made[at] ?? '']));
  const rules = rowsOf(table, 'rules');
  const change = (name: string): void => {
    const next = toggled(inputs, name);
    setInputs(next);
    onSides({ inputs: names.filter((each) => next.has(each)), outputs: names.filter((each) => !next.has(each)) });
  };
  return (
    <fieldset class="choices">
      <legend>Input columns; the others are outputs</legend>
      <div class="scroll">
        <table aria-label="First rows">
          <thead>
            <tr>
              {names.map((name) => (
                <th scope="col" key={name}>
                  <Tick name={name} checked={inputs.has(name)} onChange={() => change(name)} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rules.slice(0, mostRows).map((rule, row) => (
              <tr key={row}>
                {names.map((name) => (
                  <td key={name} class={inputs.has(name) ? '' : 'out'}>
                    <code>{textOf(rule[ids.get(name) ?? ''])}</code>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="soft small">
        {count(rules.length, 'row')}
        {rules.length > mostRows && `, of which these are the first ${mostRows}`}.
      </p>
    </fieldset>
  );
}
