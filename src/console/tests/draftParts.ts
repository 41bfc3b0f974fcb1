// One script for what is done with the tests and findings of a draft alone.
export { gapCells } from '../analysis/gapCells.js';
export { OnlyLast } from '../analysis/onlyLast.js';
export { SuggestDialog } from './suggestDialog.js';
export { TakeDialog } from './takeDialog.js';
export { TestDialog } from './testDialog.js';
export { TestFiles } from './testFiles.js';
export { tryTests } from './tried.js';
