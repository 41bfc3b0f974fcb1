import { storedKind } from '../../cells/index.js';
import type { Grid, Note } from '../files/grid.js';
import { numberTextsNote } from '../numberTexts.js';
import type { Header } from './header.js';
import type { MergedRow } from './mergeRows.js';
import { isShown, shownCell, type Json } from './tableOfModel.js';

interface Brought {
  /** Ids of columns of which the model says that they are numbers. */
  readonly known: ReadonlySet<string> | undefined;
  readonly rows: readonly MergedRow[];
  /** The rows of the table by their keys. */
  readonly present: ReadonlyMap<string, Json>;
  /** Columns of the sheet that hold codes. */
  readonly codes: ReadonlySet<number>;
}

/** The table can be told it as well as the file. */
const remedy = 'set its kind to text in the table and repair its cells, or give it the format Text in the file';

/** Of columns of which neither the table nor a code among their cells says what the numbers are that cells hold as texts. */
export function numberTextNotes(
  sheet: Grid,
  { columns }: Header,
  { known, rows, present, codes }: Brought,
): readonly Note[] {
  const taken = new Map(
    rows.flatMap((row) => (row.from === 'file' ? [[row.file.at, present.get(row.onto ?? '')]] : [])),
  );
  return columns.flatMap(({ id, at, item }) => {
    const isKnown = codes.has(at) || known?.has(id) === true || (storedKind(item)?.kind ?? 'any') !== 'any';
    const isWritten = (row: number): boolean =>
      taken.has(row) && !isShown(shownCell(taken.get(row)?.[id]), sheet.rows[row]?.[at]);
    return isKnown ? [] : numberTextsNote(sheet, at, isWritten, remedy);
  });
}
