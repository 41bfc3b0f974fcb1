/**
 * Programs take a text that begins so, also behind blanks, for a formula, and one with apostrophes before it too, or they drop one.
 * Where people write Japanese or Chinese, wide signs are signs.
 */
const formula = /^'*(?:\s*[=+\-@＝＋－＠]|[\t\r])/;
const quoted = /[",;\r\n\t]|^\s|\s$/;

/** A text as a cell of a .csv: one that programs would take for a formula has an apostrophe before it. */
export function csvCell(text: string, delimiter = ','): string {
  const cell = formula.test(text) && !isSheetNumber(text) ? `'${text}` : text;
  return quoted.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** A cell without the apostrophe that `csvCell` put before it. */
export const unguarded = (cell: string): string => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell);

/** Whether a spreadsheet keeps this number as it is written: 15 digits, none of them idle. */
export const isSheetNumber = (text: string): boolean =>
  text.length <= 17 &&
  /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/.test(text) &&
  text !== '-0' &&
  text.replace(/\D/g, '').length <= 15;
