import { normalName } from '../scope.js';
import type { FeelFunction } from '../values/value.js';
import { aggregateFunctions } from './aggregates.js';
import { contextFunctions } from './contexts.js';
import { dateFunctions } from './dates.js';
import { functionFrom, type Builtin } from './define.js';
import { listFunctions } from './lists.js';
import { numberFunctions } from './numbers.js';
import { patternFunctions } from './patterns.js';
import { rangeFunctions } from './ranges.js';
import { textFunctions } from './texts.js';

/** Every function of the language, by what it is about. */
export const builtinGroups: readonly { readonly title: string; readonly functions: readonly Builtin[] }[] = [
  { title: 'Numbers', functions: numberFunctions },
  { title: 'Texts', functions: [...textFunctions, ...patternFunctions] },
  { title: 'Lists', functions: [...listFunctions, ...aggregateFunctions] },
  { title: 'Contexts', functions: contextFunctions },
  { title: 'Dates, times and durations', functions: dateFunctions },
  { title: 'Ranges', functions: rangeFunctions },
];

/** By their names in their one form. */
export const builtins: ReadonlyMap<string, FeelFunction> = new Map(
  builtinGroups.flatMap(({ functions }) =>
    functions.map((each) => [normalName(each.name), functionFrom(each)] as const),
  ),
);
