// The public entry: JSON as text, for threads, the server and pages alike. It imports nothing.
export { checkJson, maxViolations, type JsonFault, type JsonLimits, type JsonViolation } from './check.js';
export { mayLoseDigits, normalized } from './digits.js';
export { formatJson, LongNumber, losesDigits, parseExactly } from './exact.js';
export { itemsStart, scanItems, type ItemLimits, type ItemsFound, type ItemsSearch, type ItemsState } from './items.js';
export { isContainer, isRecord, pointerOf, pointerStep, shortStep, valueAt } from './pointer.js';
export { NotJson, readWith, setKey, type Place } from './reader.js';
export { changeTokens, maySpoil, memberTexts, nestsDeeper } from './tokens.js';
