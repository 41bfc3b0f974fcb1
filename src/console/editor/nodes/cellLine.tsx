import { useMemo } from 'preact/hooks';
import { ended } from '../../graph/nodeRegion.js';
import type { GridProps } from '../grid/gridProps.js';
import type { CellMark } from '../grid/gridRow.js';
import { repairsOf } from '../repairs.js';
import { cellText, type CellText, type Sheet } from '../sheet.js';

type CellLineProps = Pick<GridProps, 'sheet' | 'selection' | 'marks' | 'onCells'> & {
  /** What is said of the last thing that was done, before anything else. */
  readonly notice: string;
};

/** The chosen cell in full, what is wrong with it, and how it is put right by one click. */
export function CellLine({ sheet, selection: { active }, marks, onCells, notice }: CellLineProps) {
  const column = sheet.columns[active.column];
  const text = cellText(sheet.rows[active.row], column);
  const row = marks.get(active.row);
  const own = row?.get(column?.id ?? '') ?? [];
  const shownMarks = [...own, ...(row?.get('') ?? [])];
  const repairs = column === undefined || own.length === 0 ? [] : repairsOf(text, column.language === 'condition');
  const alike = useMemo(
    () => (repairs.length === 0 ? [] : repairsIn(sheet, active.column, marks)),
    [sheet, active.column, marks, repairs.length],
  );
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
        <button type="button" key={repair} onClick={() => onCells([{ ...active, text: repair }], null)}>
          Write <code>{repair}</code>
        </button>
      ))}
      {repairs.length > 0 && alike.length > 1 && (
        <button type="button" onClick={() => onCells(alike, null)}>
          Put all {alike.length} like it right
        </button>
      )}
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

/** Every cell of a column that can be put right, as it would be. */
function repairsIn(sheet: Sheet, index: number, marks: GridProps['marks']): readonly CellText[] {
  const column = sheet.columns[index];
  if (column === undefined) return [];
  return [...marks].flatMap(([row, cells]) => {
    if (!cells.has(column.id)) return [];
    const [text] = repairsOf(cellText(sheet.rows[row], column), column.language === 'condition');
    return text === undefined ? [] : [{ row, column: index, text }];
  });
}
