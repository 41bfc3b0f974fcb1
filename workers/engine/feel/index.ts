// The public entry of FEEL: what DMN uses of it.
export type { Fault, Unit } from './compile/context.js';
export { invoke, invokeNamed } from './compile/calls.js';
export { bodyScope, externalCode, forCode, itemsOf, quantifiedCode } from './compile/control.js';
export { compileExpression, compileUnaryTests } from './compile/index.js';
export { contextCode, filterCode, filterScope, listCode, writtenName, type Entry } from './compile/structures.js';
export { assumeVariable } from './compile/names.js';
export { allowing, isGiven, type ValueCell } from './compile/checks.js';
export { knownOf } from './compile/known.js';
export { indexKey, isOfColumn, plainTest, plainValue, type PlainTest } from './compile/plain.js';
export { testScope, type Test } from './compile/tests.js';
export { Frame, type Code } from './frame.js';
export { builtins, feelReference } from './functions/index.js';
export { FeelParser, noNames } from './parse.js';
export { labelOf, locate, Run, type Place, type Site, type Warning } from './feelRun.js';
export type { Advice } from './hints.js';
export { normalName, Scope } from './scope.js';
export { bare, builtinType, coerced, held, isOf, typeText } from './types.js';
export { equal } from './values/compare.js';
export { isNumber, numberFrom, numberText, simplest, Big, type FeelNumber } from './values/number.js';
export { dateFrom, dateTimeFrom, durationFrom, momentFrom, temporalFrom, timeFrom } from './values/read.js';
export { propertyOf } from './values/members.js';
export { textOf } from './values/text.js';
export {
  anyType,
  FeelFunction,
  FeelRange,
  isContext,
  isList,
  kindOf,
  type Feel,
  type FeelContext,
  type FeelType,
  type FunctionParameter,
  type Kind,
} from './values/value.js';
