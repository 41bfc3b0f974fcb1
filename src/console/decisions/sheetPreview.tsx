import type { Conversion, Fault, Model } from '../api/types.js';
import { membersOf, rowsOf, textOf } from '../graph/fields.js';
import { Tick, toggled } from '../parts/entries.js';
import { FaultLine } from '../parts/faultLine.js';
import { count } from '../parts/small.js';

/** A spreadsheet as a table of a model, and which of its columns are asked for. */
export interface Sheet {
  readonly file: File;
  readonly columns: readonly string[];
  readonly inputs: ReadonlySet<string>;
  /** The first rows, with the text of each column's cell. */
  readonly first: readonly (readonly string[])[];
  readonly rows: number;
  readonly faults: readonly Fault[];
}

const mostRows = 8;
const mostFaults = 20;

export function sheetOf(file: File, { content, inputs, outputs, faults }: Conversion & { content: Model }): Sheet {
  const table = content.nodes.find(({ type }) => type === 'decisionTableNode')?.content;
  const members = membersOf(table);
  const columns = [...rowsOf(members, 'inputs'), ...rowsOf(members, 'outputs')];
  const rules = rowsOf(members, 'rules');
  return {
    file,
    columns: [...inputs, ...outputs],
    inputs: new Set(inputs),
    first: rules.slice(0, mostRows).map((rule) => columns.map(({ id }) => textOf(rule[textOf(id)]))),
    rows: rules.length,
    faults,
  };
}

interface SheetPreviewProps {
  readonly sheet: Sheet;
  readonly onChange: (inputs: ReadonlySet<string>) => void;
}

/** The first rows of a spreadsheet, as they would stand in the table, and a box for each column that is an input. */
export const SheetPreview = ({ sheet, onChange }: SheetPreviewProps) => (
  <fieldset class="choices">
    <legend>Input columns; the others are outputs</legend>
    <div class="scroll">
      <table aria-label="First rows">
        <thead>
          <tr>
            {sheet.columns.map((name) => (
              <th scope="col" key={name}>
                <Tick
                  name={name}
                  checked={sheet.inputs.has(name)}
                  onChange={() => onChange(toggled(sheet.inputs, name))}
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sheet.first.map((cells, row) => (
            <tr key={row}>
              {cells.map((text, at) => (
                <td key={at} class={sheet.inputs.has(sheet.columns[at] ?? '') ? '' : 'out'}>
                  <code>{text}</code>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
    <p class="soft small">
      {count(sheet.rows, 'row')}
      {sheet.rows > sheet.first.length && `, of which these are the first ${sheet.first.length}`}.
    </p>
    <SheetFaults faults={sheet.faults} />
  </fieldset>
);

/** Errors stay with the model; of the rest the desk asks what is meant, by kind and column. */
function SheetFaults({ faults }: Pick<Sheet, 'faults'>) {
  const errors = faults.filter(({ severity }) => severity === 'error');
  const others = faults.length - errors.length;
  return (
    <>
      {errors.slice(0, mostFaults).map((fault, at) => (
        <FaultLine key={at} fault={fault} />
      ))}
      {errors.length > mostFaults && (
        <p class="soft small">{count(errors.length - mostFaults, 'more error', 'more errors')}: the desk shows all.</p>
      )}
      {others > 0 && (
        <p class="warn">
          {count(others, 'cell or column is', 'cells or columns are')} not written as they are read here. Once it is
          created, “Repair …” below the table shows what is meant, and changes nothing else.
        </p>
      )}
    </>
  );
}
