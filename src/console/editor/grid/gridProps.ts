import type { CellText, Sheet } from '../sheet.js';
import type { Word } from '../text/word.js';
import type { Cells } from './clipboard.js';
import type { CellMark } from './gridRow.js';
import type { CellPosition, Range, Selection } from './range.js';

export interface GridProps {
  readonly label: string;
  /** Cells are chosen and copied, and none is written. */
  readonly isReadOnly: boolean;
  /** Under which widths are kept. */
  readonly keptUnder: string;
  /** Another number whenever cells were changed elsewhere: a column gets the room that they want at once, but under who works in the grid. */
  readonly otherEdits: number;
  readonly sheet: Sheet;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  /** @param step of the history that goes on while a cell is being written */
  readonly onCells: (cells: readonly CellText[], step: string | null) => void;
  /** A cell has been written. @param step in which it was typed @param cells all that get its text */
  readonly onTyped: (cell: CellPosition, step: string, cells?: readonly CellPosition[]) => void;
  /** What was written in that step is taken back. */
  readonly onAbandon: (step: string) => void;
  readonly onFillDown: (range: Range) => void;
  /** The handle of what is selected was dragged over more cells. */
  readonly onFill: (source: Range, target: Range) => void;
  /** Rows were dragged before another one; undefined where they have to stay. */
  readonly onRows: ((first: number, last: number, before: number) => void) | undefined;
  /** The menu of what is selected was asked for, there on the screen. */
  readonly onMenu: (at: { readonly x: number; readonly y: number }, of: 'cell' | 'row' | 'column') => void;
  /** Cells have been pasted, as one step. */
  readonly onPasted: (cells: readonly CellText[]) => void;
  /** @returns whether somebody is asked first where it goes */
  readonly onPaste: (paste: { readonly cells: Cells; readonly top: number; readonly left: number }) => boolean;
  /** A column's head was opened. */
  readonly onHead: (column: number) => void;
  /** Makes a column as wide as its cells want it: set by the grid, called by a menu. */
  readonly fit: { current: (column: number) => void };
  /** The number, from 0, of a row among all rows: some may not be shown. */
  readonly numberOf: (row: number) => number;
  /** The ids of columns by which rows are filtered. */
  readonly filtered: ReadonlySet<string>;
  /** What is looked for, in small letters; cells that have it are marked. */
  readonly found: string;
  /** What the cells of each column are about; null where nothing is known of it. */
  readonly kinds: readonly (string | null)[];
  /** The rows that a run matched. */
  readonly matched: ReadonlySet<number>;
  readonly marks: ReadonlyMap<number, ReadonlyMap<string, readonly CellMark[]>>;
  readonly complete: (column: number, before: string) => readonly Word[];
}
