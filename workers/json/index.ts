// The public entry: JSON as text, for threads, the server and pages alike. It imports nothing. What is of bytes, which pages have not, stands
// in items.ts.
export { checkJson, maxViolations, type JsonFault, type JsonLimits, type JsonViolation } from './check.js';
export { mayLoseDigits, normalized } from './digits.js';
export { exceedsRuns, formatJson, LongNumber, losesDigits, parseExactly } from './exact.js';
export {
  isContainer,
  isRecord,
  member,
  pointerOf,
  pointerStep,
  recordsIn,
  shortName,
  shortStep,
  stepsOf,
  valueAt,
} from './pointer.js';
export { NotJson, readWith, setKey, type Place } from './reader.js';
export { changeTokens, maySpoil, memberTexts, nestsDeeper } from './tokens.js';
