// The entry for what several cells of a sheet mean together; pages load it with what asks about it, so it is no part of `index.ts`.
export { tablesBeside, withColumns, type TableColumns } from './beside.js';
export { blocksIn, emptyName, emptyNames, readEmptyName, withAbove, type EmptyAs } from './blocks.js';
export { haveTwoLines, joinedHeadings } from './headLines.js';
export { matrixIn, unrolled, type MatrixNames } from './matrix.js';
export { rangeName, rangeNames, rangesIn, readRangeName, withRange, type NamedRange } from './ranges.js';
export { firstResult, isNoteColumn, namesResult } from './resultNames.js';
export { sidesOf } from './sides.js';
