// The public entry beside the tasks: what commands on files use.
export { readXlsx } from './files/readXlsx.js';
export { isZip, openZip, ZipError, type ZipPart } from './files/zip.js';
export { unguarded } from '../cells/index.js';
export { csvFault, csvForm, fromWindows1252, lineEnds, markedEncoding, notText } from './files/csvForm.js';
export type { Row } from './files/grid.js';
export { AnswerColumns } from './facts/answerColumns.js';
export { readPaths, readRow, type PathColumn } from './facts/columns.js';
export { shownText } from './facts/values.js';
export { DoubtfulCells } from './facts/doubtfulCells.js';
export { columnsTaking, takenAt } from './facts/taken.js';
export { NamelessCells } from './tables/header.js';
export { codeColumns, hasDecimals } from './meant.js';
