/** Programs take a text that begins so, also behind apostrophes, for a formula, or drop an apostrophe. */
const guarded = /^'*[=+\-@\t\r]/;
const quoted = /[",;\r\n\t]|^\s|\s$/;

/** A text as a cell of a .csv: one that programs would take for a formula has an apostrophe before it. */
export function csvCell(text: string, delimiter = ','): string {
  const cell = guarded.test(text) && !isSheetNumber(text) ? `'${text}` : text;
  return quoted.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Whether a spreadsheet keeps this number as it is written: 15 digits, none of them idle. */
export const isSheetNumber = (text: string): boolean =>
  text.length <= 17 &&
  /^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$/.test(text) &&
  text !== '-0' &&
  text.replace(/\D/g, '').length <= 15;
