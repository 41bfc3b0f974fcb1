// The public entry: what is proved of decision models. It knows the engine, and nothing of threads and HTTP.
export { analyse, suggest, type AnalysisRequest, type Checked } from './analyse.js';
export type { Version } from './modelChange.js';
export { compileProperties, type CheckedProperty, type PropertyFault } from './properties.js';
export type { Analysis, Property } from './report.js';
export type { Suggestions } from './suggest.js';
