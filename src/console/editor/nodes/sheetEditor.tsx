import { useEffect, useState } from 'preact/hooks';
import type { Fields } from '../../graph/fields.js';
import { useKinds } from './useKinds.js';
import { backToGrid } from '../grid/backToGrid.js';
import { Grid } from '../grid/grid.js';
import type { GridProps } from '../grid/gridProps.js';
import { selectionAt, type Selection } from '../grid/range.js';
import { filledDown, sheetOf, withCells, type Sheet } from '../sheet.js';
import type { NodeEditorProps } from './nodeEditorProps.js';
import { CellLine } from './cellLine.js';
import { ColumnDialog, type ColumnTask } from './columnDialog.js';
import { SheetTools } from './sheetTools.js';

interface SheetEditorProps extends NodeEditorProps {
  readonly type: string;
  readonly content: Fields;
}

/** The selection within what is there: rows may have gone. */
const within = ({ anchor, active }: Selection, { rows, columns }: Sheet): Selection => {
  const clamp = ({ row, column }: Selection['active']) => ({
    row: Math.min(row, rows.length),
    column: Math.min(column, columns.length - 1),
  });
  return { anchor: clamp(anchor), active: clamp(active) };
};

/** A table, expressions or conditions, as a sheet with its tools above it. */
export function SheetEditor({
  node,
  type,
  content,
  matched,
  marks,
  words,
  sought,
  onContent,
  onAbandon,
}: SheetEditorProps) {
  const sheet = sheetOf(type, content);
  const [chosen, setChosen] = useState(selectionAt(0, 0));
  const [notice, setNotice] = useState('');
  const kinds = useKinds(content, sheet);
  const [task, setTask] = useState<ColumnTask | null>(null);
  useEffect(() => {
    if (sought === null) return;
    const column = sheet?.columns.findIndex(({ id }) => id === sought.column) ?? -1;
    setChosen(selectionAt(sought.row, Math.max(0, column)));
  }, [sought]);
  if (sheet === undefined) return null;
  const selection = within(chosen, sheet);
  const isTable = sheet.list === 'rules';
  const select = (next: Selection): void => {
    setChosen(next);
    setNotice('');
  };
  const grid: GridProps = {
    label: node.name,
    keptUnder: node.id,
    sheet,
    selection,
    kinds,
    matched,
    marks,
    onSelect: select,
    onNotice: setNotice,
    onAbandon,
    onCells: (cells, step) => onContent(withCells(content, sheet, cells), step),
    onFillDown: (range) => onContent(filledDown(content, sheet, range), null),
    onHead: (column) => {
      const { side } = sheet.columns[column] ?? { side: 'note' };
      if (isTable && side !== 'note') setTask({ kind: 'change', column });
    },
    complete: (column, before) => words(sheet.columns[column]?.field ?? '', before),
  };
  return (
    <div class="sheet">
      <SheetTools
        {...{ sheet, content, selection }}
        onSelect={select}
        onContent={(next, step = null) => onContent(next, step === null ? null : `${step} of ${node.id}`)}
        onColumn={isTable ? setTask : undefined}
      />
      <CellLine {...grid} content={content} notice={notice} />
      <Grid {...grid} />
      {task !== null && (
        <ColumnDialog
          key={JSON.stringify(task)}
          {...{ content, task }}
          onClose={() => backToGrid(() => setTask(null))}
          onContent={(next) => onContent(next, null)}
        />
      )}
    </div>
  );
}
