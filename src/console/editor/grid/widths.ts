import { zenText } from '../../../../workers/cells/index.js';
import { shownText } from './shownText.js';
import { cellText, type Sheet, type SheetColumn } from '../sheet.js';

const [leastWidth, mostWidth, noteWidth, wideWidth] = [84, 280, 180, 340];
/** Of a letter in a cell, and of what is around the text, in pixels. */
const [letter, padding] = [7.9, 18];
/** Of a letter in a heading, which is bold, in the widest of usual fonts; of those that are wider, and narrower, than others. */
const [boldLetter, wideLetter, narrowLetter] = [9.4, 14, 6.2] as const;
const [wide, narrow] = [/[MWmw@%]/g, /[ijlrtfI.,:;'()[\] -]/g] as const;
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
    (most, row) => Math.max(most, shownText(cellText(row, column)).length),
    // The mark of its kind stands beside the field.
    fieldShown(column).length + markLetters,
  );
  return Math.round(Math.max(leastWidth, Math.max(longest * letter, headingWidth(column.name)) + padding));
}

const headingWidth = (name: string): number => {
  const [wider, narrower] = [wide, narrow].map((letters) => name.match(letters)?.length ?? 0) as [number, number];
  return wider * wideLetter + narrower * narrowLetter + (name.length - wider - narrower) * boldLetter;
};

/** The field under a column's name; none where the name says it, or makes a key of it that ZEN cannot name. */
export const fieldShown = ({ name, field }: SheetColumn): string =>
  [name, `$root[${zenText(name)}]`].includes(field) ? '' : field;
