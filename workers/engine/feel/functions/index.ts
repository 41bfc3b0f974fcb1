import { normalName } from '../scope.js';
import type { ReferenceGroup } from '../../zen/reference.js';
import type { FeelFunction } from '../values/value.js';
import { aggregateFunctions } from './aggregates.js';
import { contextFunctions } from './contexts.js';
import { dateFunctions } from './dates.js';
import { callsOf, functionFrom, type Builtin } from './define.js';
import { listFunctions } from './lists.js';
import { numberFunctions } from './numbers.js';
import { patternFunctions } from './patterns.js';
import { rangeFunctions } from './ranges.js';
import { textFunctions } from './texts.js';

/** Every function of the language, by what it is about. */
const groups: readonly { readonly title: string; readonly functions: readonly Builtin[] }[] = [
  { title: 'Numbers', functions: numberFunctions },
  { title: 'Texts', functions: [...textFunctions, ...patternFunctions] },
  { title: 'Lists', functions: [...listFunctions, ...aggregateFunctions] },
  { title: 'Contexts', functions: contextFunctions },
  { title: 'Dates, times and durations', functions: dateFunctions },
  { title: 'Ranges', functions: rangeFunctions },
];

/** By their names in their one form. */
export const builtins: ReadonlyMap<string, FeelFunction> = new Map(
  groups.flatMap(({ functions }) => functions.map((each) => [normalName(each.name), functionFrom(each)] as const)),
);

/** What the guide says of them. */
export const feelReference = (): ReferenceGroup[] =>
  groups.map(({ title, functions }) => ({
    title,
    entries: functions.map((each) => {
      const { name, gives, summary, example } = each;
      return { name, gives, summary, example, call: callsOf(each).join('`, `') };
    }),
  }));
