import { zenText } from '../../../../workers/cells/index.js';
import { cellText, type Sheet, type SheetColumn } from '../sheet.js';

const [leastWidth, mostWidth, noteWidth, wideWidth] = [84, 280, 180, 340];
/** Of a letter in a cell, and of what is around the text, in pixels. */
const [letter, padding] = [7.9, 18];
/** As many letters have room where the mark of a column's kind stands. */
const markLetters = 5;
/** So many rows tell how wide a column has to be. */
const looked = 60;

/** As wide as its name and its first cells want it; of few columns each has more. */
export function startWidth({ columns, rows }: Sheet, column: SheetColumn): number {
  if (columns.length <= 2 && column.language === 'expression') return wideWidth;
  if (column.side === 'note') return noteWidth;
  return Math.min(mostWidth, widthFor(rows.slice(0, looked), column));
}

/** As wide as the longest of all its cells wants it. */
export const fittedWidth = ({ rows }: Sheet, column: SheetColumn): number => widthFor(rows, column);

function widthFor(rows: Sheet['rows'], column: SheetColumn): number {
  const longest = rows.reduce(
    (most, row) => Math.max(most, cellText(row, column).length),
    // The mark of its kind stands beside the field.
    Math.max(column.name.length, fieldShown(column).length + markLetters),
  );
  return Math.round(Math.max(leastWidth, longest * letter + padding));
}

/** The field under a column's name; none where the name says it, or makes a key of it that ZEN cannot name. */
export const fieldShown = ({ name, field }: SheetColumn): string =>
  [name, `$root[${zenText(name)}]`].includes(field) ? '' : field;
