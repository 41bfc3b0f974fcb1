import { ended } from '../../graph/nodeRegion.js';
import { backToGrid } from '../grid/backToGrid.js';
import type { GridProps } from '../grid/gridProps.js';
import type { CellMark } from '../grid/gridRow.js';
import { readingsOf } from '../repairs.js';
import type { Fields } from '../../graph/fields.js';
import { cellText } from '../sheet.js';

type CellLineProps = Pick<GridProps, 'sheet' | 'selection' | 'marks' | 'onCells'> & {
  readonly content: Fields;
  /** What is said of the last thing that was done, before anything else. */
  readonly notice: string;
};

/** The chosen cell in full, what is wrong with it, and how it is put right by one click. */
export function CellLine({ content, sheet, selection: { active }, marks, onCells, notice }: CellLineProps) {
  const column = sheet.columns[active.column];
  const text = cellText(sheet.rows[active.row], column);
  const row = marks.get(active.row);
  const own = row?.get(column?.id ?? '') ?? [];
  const shownMarks = [...own, ...(row?.get('') ?? [])];
  const repairs = own.length === 0 ? [] : readingsOf(content, sheet, active.row, active.column);
  return (
    <div class="cell-line" role="group" aria-label="Cell">
      <span class="soft">
        {active.row < 0 ? 'Column' : active.row < sheet.rows.length ? `Row ${active.row + 1}` : 'New row'}
        {column !== undefined && `, ${column.name}`}
      </span>
      {active.row >= 0 && <code>{text}</code>}
      <span role="status" class="told">
        {notice !== '' && <span class="warn">{notice}</span>}
        {notice === '' && shownMarks.length > 0 && <CellNotes marks={shownMarks} />}
      </span>
      {repairs.map((repair) => (
        <button
          type="button"
          key={repair}
          onClick={() => backToGrid(() => onCells([{ ...active, text: repair }], null))}
        >
          <RepairName text={repair} />
        </button>
      ))}
    </div>
  );
}

const CellNotes = ({ marks }: { readonly marks: readonly CellMark[] }) => (
  <>
    {marks.map(({ severity, message, hint }, at) => (
      <span key={at} class={severity === 'error' ? 'bad' : 'warn'}>
        <span aria-hidden="true">{severity === 'error' ? '✕' : '△'} </span>
        {ended(message)} {hint}{' '}
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
