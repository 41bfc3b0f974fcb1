import { SheetError, type Note } from './grid.js';
import { addNumberCell, likeThousands } from './numberCells.js';
import { coded, withPlaces } from './numberFormat.js';
import { dateSource, durationSource, isPlainNumber, losesDigits, numberSource, timeSource } from './numbers.js';
import { unescaped } from './sharedStrings.js';
import type { Formats } from './styles.js';

/** What the cells of a worksheet are read with. */
export interface CellContext {
  readonly strings: readonly string[];
  readonly formats: Formats;
  readonly dates: 1900 | 1904;
  /** The file was made of a table, so that its texts are sources as they stand. */
  readonly isOwn: boolean;
}

/** What stands between `<c>` and `</c>`. */
export interface OpenCell {
  row: number;
  column: number;
  type: string | undefined;
  style: string | undefined;
  value: string;
  /** Undefined where there is none; empty for one that another cell has. */
  formula: string | undefined;
}

/** What is noticed of the cells. */
export interface Noticed {
  readonly notes: Note[];
  readonly numberTexts: Map<number, number[]>;
  readonly numbers: Map<number, Set<number>>;
  /** Columns with an amount of money by its format. */
  readonly money: Set<number>;
}

/** Messages about cells that are kept of a sheet: it may have a formula in each of them, and few are told. */
const mostKeptNotes = 10_000;

/** What a person would have typed; undefined for an empty cell. @throws SheetError */
export function sourceOf(cell: OpenCell, context: CellContext, noticed: Noticed): string | undefined {
  const { row, column, type, value, formula } = cell;
  const { notes } = noticed;
  const note = (severity: Note['severity'], message: string): void => {
    // Room for an error is left by warnings.
    if (notes.length < (severity === 'error' ? 2 : 1) * mostKeptNotes) notes.push({ severity, row, column, message });
  };
  // LibreOffice has no other booleans.
  if (formula === 'TRUE()' || formula === 'FALSE()') return formula.slice(0, -2).toLowerCase();
  // An empty text is a value that a formula may have.
  if (formula !== undefined && value === '' && type !== 'str') {
    note('error', 'The cell has a formula and no stored value: formulas are not computed here.');
    // An empty cell would be any value; what is no ZEN stays a fault wherever the cell goes.
    return `=${formula}`;
  }
  if (formula !== undefined) note('warning', 'A formula is not computed: its stored value was taken.');
  // Some programs say the type of a cell that holds nothing.
  if (value === '' && type !== 'e') return undefined;
  switch (type) {
    case 's': {
      const text = context.strings[Number(value)];
      if (text === undefined) throw new SheetError('broken', 'A cell names a text that is not in the file.');
      return textSource(text, cell, context, noticed);
    }
    case 'inlineStr':
    case 'str':
      return textSource(unescaped(value), cell, context, noticed);
    case 'b':
      if (/^(?:[01]|true|false)$/.test(value)) return value === '1' || value === 'true' ? 'true' : 'false';
      note('error', 'The cell is said to be true or false, and is neither.');
      return `=${value}`;
    case 'e':
      note('error', `The cell holds the error ${value.slice(0, 20)}.`);
      return `=${value}`;
    case 'd':
      return strictDate(value, cell, context, note);
  }
  if (context.formats(cell.style)?.kind === 'money') noticed.money.add(column);
  const source = valueSource(cell, context, note);
  if (source !== undefined && likeThousands.test(source)) addNumberCell(noticed.numbers, row, column);
  return source;
}

/**
 * What would be a number or a boolean elsewhere is a text in a cell that a person made one of texts. A code with zeros before it is
 * one anyway, and its column one of codes: it has no quotes, which a cell has in which somebody wrote them. In other cells a number
 * may be a code or what a program exported, which is told of its column.
 */
function textSource(
  text: string,
  { row, column, style, formula }: OpenCell,
  { formats, isOwn }: CellContext,
  { numberTexts }: Noticed,
): string | undefined {
  if (text === '') return undefined;
  if (isOwn) return text;
  const isText = formula !== undefined || formats(style)?.kind === 'text';
  if (isText) return isLiteral(text.trim()) && !isCode(text) ? JSON.stringify(text) : text;
  if (isPlainNumber(text.trim())) {
    const rows = numberTexts.get(column);
    if (rows === undefined) numberTexts.set(column, [row]);
    else rows.push(row);
  }
  return text;
}

const isLiteral = (text: string): boolean => /^(?:true|false)$/i.test(text) || numberSource(text) !== undefined;

const isCode = (text: string): boolean => /^0\d+$/.test(text);

type Noting = (severity: Note['severity'], message: string) => void;

function valueSource({ value, style }: OpenCell, context: CellContext, note: Noting): string | undefined {
  const format = context.formats(style);
  if (format?.kind === 'date') {
    const date = dateSource(value, context.dates, format.shows);
    if (date !== undefined) return JSON.stringify(date);
    if (numberSource(value) !== undefined) note('error', `The cell is shown as a date, and ${value} is none.`);
  }
  if (format?.kind === 'duration') {
    const duration = durationSource(value);
    if (duration !== undefined) return noted(duration, note);
  }
  const number = numberSource(value);
  if (number === undefined) note('error', 'The cell is said to be a number, and is none.');
  else if (losesDigits(value)) {
    note('warning', `Spreadsheets keep 15 digits of a number: ${value} is read as ${number}. Write an id as a text.`);
  }
  if (number !== undefined && context.isOwn && format?.kind === 'places') return withPlaces(number, format.places);
  if (number === undefined || context.isOwn) return number;
  const text = format?.kind === 'code' ? coded(number, format.pattern) : format?.kind === 'text' ? number : undefined;
  return text === undefined ? number : isCode(text) ? text : JSON.stringify(text);
}

function noted(duration: string, note: Noting): string {
  note('warning', `A time that went by is read as the duration ${duration}.`);
  return JSON.stringify(duration);
}

const dayZero = '1899-12-30T';

/** Files of the strict form have ISO texts in place of days. */
function strictDate(value: string, { style }: OpenCell, { formats }: CellContext, note: Noting): string {
  if (formats(style)?.kind === 'duration') {
    const days = (Date.parse(`${value.replace(/Z$/, '')}Z`) - Date.parse(`${dayZero}00:00:00Z`)) / 86_400_000;
    const duration = durationSource(String(days));
    if (duration !== undefined) return noted(duration, note);
  }
  const text = value.replace(/Z$/, '').replace(/\.0+$/, '');
  if (text.startsWith(dayZero)) return JSON.stringify(timeSource(text.slice(dayZero.length)));
  const [, day] = /^(\d{4}-\d\d-\d\d)(?:T00:00:00)?$/.exec(text) ?? [];
  const format = formats(style);
  const showsTime = format?.kind === 'date' && format.shows === 'time';
  return JSON.stringify(day === undefined ? text : showsTime ? `${day}T00:00:00` : day);
}
