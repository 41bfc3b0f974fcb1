/**
 * The name that a heading is: a line break within it (as spreadsheets have in every second heading), a tab, several blanks and one
 * that does not break are a blank to who reads it. The same wherever a heading is read, so that files and facts agree.
 */
export const headingText = (cell = ''): string => cell.replace(/\s+/gu, ' ').trim();
