// The public entry: what is proved of decision models. It knows the engine, and nothing of threads and HTTP.
export { analyse, suggest } from './analyse.js';
export type { Version } from './model.js';
export { compileProperties, type PropertyFault } from './properties.js';
export type { Suggestions } from './suggest.js';
