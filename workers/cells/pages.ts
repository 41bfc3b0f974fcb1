// The entry for what pages load when they need it: a bundler keeps all of such an entry, so that it has no words for faults.
export { columnOf } from './columns.js';
export { csvCell } from './csvCell.js';
export { readPlain } from './literals.js';
export { readCell } from './readCell.js';
export { unitLabel } from './units.js';
