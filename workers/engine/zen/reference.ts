import { closureFunctions } from './functions/closures.js';
import { dateMethods } from './functions/date-methods.js';
import { dateFunctions } from './functions/date.js';
import type { Parameter } from './functions/define.js';
import { fuzzyFunctions } from './functions/fuzzy.js';
import { listFunctions } from './functions/lists.js';
import { mathFunctions } from './functions/math.js';
import { regexFunctions } from './functions/regex.js';
import { secondsFunctions } from './functions/seconds.js';
import { textFunctions } from './functions/text.js';
import { typeFunctions } from './functions/types.js';

/** A function or method of the language, in words for people. */
interface ReferenceEntry {
  readonly name: string;
  /** How it is called: `round(x, places?)`, `date.add(amount, unit?)`. */
  readonly call: string;
  /** What it gives: `a number`. */
  readonly gives: string;
  /** One sentence. */
  readonly summary: string;
  /** An expression that runs without a fact. */
  readonly example: string;
}

export interface ReferenceGroup {
  readonly title: string;
  readonly entries: readonly ReferenceEntry[];
}

interface Described extends Omit<ReferenceEntry, 'call'> {
  readonly parameters: readonly Parameter[];
}

const list = (parameters: readonly Parameter[]): string =>
  parameters.map(({ name, optional }) => name + (optional === true ? '?' : '')).join(', ');

const described = ({ name, gives, summary, example }: Omit<ReferenceEntry, 'call'>, call: string): ReferenceEntry => ({
  name,
  call,
  gives,
  summary,
  example,
});

const functionsOf = (title: string, ...tables: readonly (readonly Described[])[]): ReferenceGroup => ({
  title,
  entries: tables.flat().map((each) => described(each, `${each.name}(${list(each.parameters)})`)),
});

/** Every function and method of the language, by what it is about. */
export const languageReference: readonly ReferenceGroup[] = [
  functionsOf('Numbers', mathFunctions),
  functionsOf('Texts', textFunctions, regexFunctions, fuzzyFunctions),
  functionsOf('Lists and objects', listFunctions),
  {
    title: 'Conditions on items of a list',
    entries: [...closureFunctions.values()].map((each) => described(each, `${each.name}(list, condition)`)),
  },
  functionsOf('Kinds of values', typeFunctions),
  functionsOf('Dates', dateFunctions),
  {
    title: 'Methods of dates',
    entries: dateMethods.map((each) =>
      described(each, `${list(each.parameters.slice(0, 1))}.${each.name}(${list(each.parameters.slice(1))})`),
    ),
  },
  functionsOf('Dates as seconds since 1970', secondsFunctions),
];
