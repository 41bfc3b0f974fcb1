// What a new decision of a spreadsheet needs, and no page before.
export { putRight, withPutRight } from './keptRepairs.js';
export { SheetPreview } from './sheetPreview.js';
