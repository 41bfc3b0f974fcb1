import type { ColumnKind } from '../../../../workers/cells/index.js';
import type { CellText, Sheet } from '../sheet.js';
import type { Word } from '../text/word.js';
import type { CellMark } from './gridRow.js';
import type { Range, Selection } from './range.js';

export interface GridProps {
  readonly label: string;
  /** Under which widths are kept. */
  readonly keptUnder: string;
  readonly sheet: Sheet;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  /** @param step of the history that goes on while a cell is being written */
  readonly onCells: (cells: readonly CellText[], step: string | null) => void;
  /** What was written in that step is taken back. */
  readonly onAbandon: (step: string) => void;
  readonly onFillDown: (range: Range) => void;
  /** A column's head was opened. */
  readonly onHead: (column: number) => void;
  readonly onNotice: (text: string) => void;
  /** What the cells of each column are about; null where nothing is known of it. */
  readonly kinds: readonly (ColumnKind | null)[];
  /** The rows that a run matched. */
  readonly matched: ReadonlySet<number>;
  readonly marks: ReadonlyMap<number, ReadonlyMap<string, readonly CellMark[]>>;
  readonly complete: (column: number, before: string) => readonly Word[];
}
