const sign = '[=+\\-@＝＋－＠]';
/**
 * Programs take a text that begins so, also behind blanks, for a formula, and one with apostrophes before it too, or they drop one.
 * Where people write Japanese or Chinese, wide signs are signs.
 */
const formula = new RegExp(`^'*(?:\\s*${sign}|[\\t\\r])`);
const quoted = /[",;\r\n\t]|^\s|\s$/;

/**
 * What begins so in another line of a text, or behind a separator that other programs cut files at. They honour quotes that begin a
 * cell of theirs, as ours do at the beginning of a line alone: the second cell of `a,"x;=1;y"` is a formula to them. Commas are
 * none of these: lists of texts have them, `['a','-b']`, and a file without commas goes to who sent such a one.
 */
const innerFormula = new RegExp(`([;\\t\\r\\n])((?:['"]|[^\\S\\t\\r\\n])*${sign}[^;\\t\\r\\n]*)`, 'g');

/** Also one with a comma, in a file whose author has commas. */
const isNumber = (text: string): boolean => isSheetNumber(text.replace(',', '.'));

/** A text as a cell of a .csv: where programs would take it for a formula, or a part of it, an apostrophe stands before that. */
export function csvCell(text: string, delimiter = ','): string {
  const inner = text.replace(innerFormula, (found, separator: string, part: string) =>
    isNumber(part) ? found : `${separator}'${part}`,
  );
  const cell = formula.test(text) && !isNumber(text) ? `'${inner}` : inner;
  return quoted.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A cell without the apostrophes that `csvCell` put into it. */
export function unguarded(cell: string): string {
  const text = cell.replace(innerFormula, (found, separator: string, part: string) =>
    part.startsWith("'") ? separator + part.slice(1) : found,
  );
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}

/** Whether a spreadsheet keeps this number as it is written: 15 digits, none of them idle. */
export const isSheetNumber = (text: string): boolean =>
  text.length <= 17 &&
  /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/.test(text) &&
  text !== '-0' &&
  text.replace(/\D/g, '').length <= 15;
