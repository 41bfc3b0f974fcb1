// The public entry: reading, checking and testing models. What is given to a pool as a task can also be done in process.
export { addMeasures, noMeasure, type MeasureTally } from './compare/measures.js';
export { quotient } from './compare/numbers.js';
export { shortenedInTransition } from './compare/describe.js';
export { addFits, noFit, OutcomeCounter, type Fit, type OutcomeTally } from './compare/outcomes.js';
export type * from './compare/settings.js';
export type * from './compare/tasks.js';
export type { NarrateAnswer, Step } from './narrate/tasks.js';
export type { ModelDifferences } from './compare/modelDifferences.js';
export { bodyOf } from '../fact.js';
export { readDocument, type Document, type UnreadDiagnostic } from './document.js';
export { createModelWork, type ModelWork } from './inProcess.js';
export { measuredIn, otherValue, type Measured, type MeasuredText } from '../measured.js';
export { modelLimits } from './limits.js';
export { readTests } from './modelTests.js';
export type * from '../sheets/tasks.js';
export { sheetLimits } from '../sheets/files/grid.js';
export { locate } from '../sheets/notes.js';
export type * from './tasks.js';
