import { isFormula } from '../../../../workers/cells/index.js';
import { told } from '../../parts/faultWords.js';
import { Button } from '../../parts/small.js';
import { backToGrid } from '../grid/backToGrid.js';
import type { GridProps } from '../grid/gridProps.js';
import type { CellMark } from '../grid/gridRow.js';
import { readingsOf, withReading } from '../repairs.js';
import type { Fields } from '../../graph/fields.js';
import { cellText } from '../sheet.js';
import type { Filter } from './filter.js';

type CellLineProps = Pick<GridProps, 'sheet' | 'selection' | 'marks' | 'isReadOnly'> & {
  readonly filter: Filter;
  /** The index of the chosen row among all of them. */
  readonly row: number;
  readonly onCells: (content: Fields) => void;
  /** What is said of the last thing that was done, before anything else. */
  readonly notice: string;
};

/** The chosen cell in full, what is wrong with it, and how it is put right by one click. */
export function CellLine(props: CellLineProps) {
  const { sheet, filter, selection, row, marks, isReadOnly, onCells, notice } = props;
  const index = selection.active.column;
  const column = sheet.columns[index];
  const text = cellText(sheet.rows[row], column);
  const found = marks.get(row);
  const own = found?.get(column?.id ?? '') ?? [];
  const shownMarks = [...own, ...(found?.get('') ?? [])];
  const repairs =
    isReadOnly || (own.length === 0 && !isFormula(text)) ? [] : readingsOf(sheet, { row, index, told: own });
  return (
    <div class="cell-line" role="group" aria-label="Cell">
      <span class="soft">
        {row < 0 ? 'Column' : row < sheet.rows.length ? `Row ${row + 1}` : 'New row'}
        {column !== undefined && `, ${column.name}`}
      </span>
      {row >= 0 && <code>{text}</code>}
      <span role="status" class="told">
        {notice !== '' && <span class="warn">{notice}</span>}
        {notice === '' && shownMarks.length > 0 && <CellNotes marks={shownMarks} />}
      </span>
      {repairs.map((repair) => (
        <Button
          key={repair}
          onClick={() => backToGrid(() => onCells(withReading(sheet, { row, column: index, text: repair })))}
        >
          <RepairName text={repair} />
        </Button>
      ))}
      {filter.hidden > 0 && (
        <Button
          name={`${sheet.rows.length - filter.hidden} of ${sheet.rows.length} rows: show all`}
          onClick={() => backToGrid(filter.all)}
        />
      )}
    </div>
  );
}

const CellNotes = ({ marks }: { readonly marks: readonly CellMark[] }) => (
  <>
    {marks.map((mark, at) => (
      <span key={at} class={mark.severity === 'error' ? 'bad' : 'warn'}>
        <span aria-hidden="true">{mark.severity === 'error' ? '✕' : '△'} </span>
        {told(mark)}{' '}
      </span>
    ))}
  </>
);

/** What a button writes into a cell. */
export const RepairName = ({ text }: { readonly text: string }) =>
  text === '' ? (
    <>Empty it</>
  ) : (
    <>
      Write <code>{text}</code>
    </>
  );
