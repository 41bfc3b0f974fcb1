import { useState } from 'preact/hooks';
import type { FilePart } from '../api/types.js';
import { titleRow } from '../editor/fileFaults.js';
import { FileFindings } from '../editor/fileFindings.js';
import type { FileModel, Sheet } from '../editor/fileModel.js';
import { membersOf, rowsOf, textOf, type Fields } from '../graph/fields.js';
import { Tick, toggled } from '../parts/entries.js';
import { count } from '../parts/small.js';
import { Table, type Column } from '../parts/table.js';

/** Which columns are to be what. */
export type Sides = Pick<Sheet, 'inputs' | 'outputs'>;

const mostRows = 8;

interface SheetPreviewProps {
  readonly sheet: Sheet;
  /** It is read anew: what is wrong with it is not known till then. */
  readonly isBusy: boolean;
  readonly onSides: (sides: Sides) => void;
  readonly onChange: (found: FileModel) => void;
  readonly onPart: (part: FilePart) => void;
}

/** What would be kept of a spreadsheet: its first rows, a box for each column that is an input, and what is wrong with it. */
export const SheetPreview = ({ sheet, isBusy, onSides, onChange, onPart }: SheetPreviewProps) => (
  <>
    {titleRow(sheet.faults) === null && <Columns {...{ sheet, onSides }} />}
    {!isBusy && <FileFindings found={sheet} {...{ onChange, onPart }} />}
  </>
);

function Columns({ sheet, onSides }: Pick<SheetPreviewProps, 'sheet' | 'onSides'>) {
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
  const columns = names.map((name): Column<Fields> => [
    name,
    (rule) => <code>{textOf(rule[ids.get(name) ?? ''])}</code>,
    inputs.has(name) ? undefined : 'out',
    <Tick key={name} name={name} checked={inputs.has(name)} onChange={() => change(name)} />,
  ]);
  return (
    <fieldset class="choices">
      <legend>Input columns; the others are outputs</legend>
      <Table label="First rows" columns={columns} rows={rules.slice(0, mostRows)} />
      <p class="soft small">
        {count(rules.length, 'row')}
        {rules.length > mostRows && `, of which these are the first ${mostRows}`}.
      </p>
    </fieldset>
  );
}
