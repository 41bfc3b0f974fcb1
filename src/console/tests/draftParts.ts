// One script for what is done with the tests of a draft alone.
export { SuggestDialog } from './suggestDialog.js';
export { TakeDialog } from './takeDialog.js';
export { TestDialog } from './testDialog.js';
export { TestFiles } from './testFiles.js';
export { tryTests } from './tried.js';
