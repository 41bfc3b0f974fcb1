// The public entry beside the tasks: what commands on files use.
export { readXlsx } from './files/readXlsx.js';
