import { isSame } from '../api/sameJson.js';
import { isObject, membersOf, rowsOf, textOf, type Fields } from '../graph/fields.js';
import { path, text, toldOf, value, withoutClock } from './zenTold.js';

const [wholeTold, dayTold] = [String.raw`(-?\d+)`, String.raw`d\('(\d{4}-\d\d-\d\d)'\)`];
const rangesOfPaths = new RegExp(
  String.raw`(${path}) in \((?:${wholeTold}\.\.${wholeTold}|${dayTold}\.\.${dayTold})\)|'[^']*'|"[^"]*"`,
  'gu',
);
const dayMs = 86_400_000;

const columnsOf = (content: unknown): readonly Fields[] => rowsOf(content, 'inputs');

/** A column, and what somebody may say of it. */
export type MaybeWhole = readonly [column: Fields, what: 'numbers' | 'days'];

/** The columns of which a message tells what lies between two whole numbers or days, where nobody has said that nothing does. */
export function inFractions(message: string, content: unknown): readonly MaybeWhole[] {
  const fields = new Map<string, MaybeWhole[1]>();
  for (const [, field = '', low, high, day = '', next = ''] of message.matchAll(rangesOfPaths)) {
    if (Number(high) === Number(low) + 1) fields.set(field, 'numbers');
    else if (Date.parse(next) === Date.parse(day) + dayMs) fields.set(field, 'days');
  }
  return columnsOf(content).flatMap((column): readonly MaybeWhole[] => {
    const what = fields.get(textOf(column['field']));
    return what === undefined || column['_whole'] === true ? [] : [[column, what]];
  });
}

const told = toldOf(value);

// A field of which no type is known may be anything else as well, which a list of all kinds of values tells at length.
const always = ['= null', '= false', '= true', 'is a list', 'is an object'];
const others: readonly (readonly [told: string, kinds: readonly string[]])[] = [
  ['is no text', [...always, 'is any number', 'is any date', 'is no valid date']],
  ['is no number', [...always, 'is any date', 'is any text', 'is no valid date']],
  ['is no date', [...always, 'is any number', 'is any text that names no date']],
  // Of a column that asks for yes or no, and of what is not there.
  ...['= true', '= false', '= null'].map(
    (one) =>
      [
        one.replace('=', 'is not'),
        [...always.filter((each) => each !== one), 'is any number', 'is any date', 'is any text', 'is no valid date'],
      ] as const,
  ),
];
const kinds = [...new Set(others.flatMap(([, each]) => each))].sort((one, other) => other.length - one.length);
const alternative = String.raw`(${path}) (${kinds.join('|')}|${told})`;
const alternatives = new RegExp(alternative, 'gu');
// Brackets that are meant themselves are escaped, or stand in a class.
const unnamed = alternative.replaceAll(/(?<![\\[])\((?!\?)/g, '(?:');
const choices = new RegExp(String.raw`\((${unnamed}(?: or ${unnamed})+)\)`, 'gu');

/** `(a is any date or a >= 5 or a = null …)`, of all kinds of values but one, as `(a >= 5 or a is no number)`; of texts as `a != 'x'`. */
const shortened = (message: string): string =>
  message.replaceAll(choices, (found: string, inner: string) => {
    const parts = [...inner.matchAll(alternatives)].map(([, field = '', condition = '']) => ({ field, condition }));
    const said = parts.map(({ condition }) => condition);
    const field = parts[0]?.field ?? '';
    const [word, gone] = others.find(([, each]) => each.every((kind) => said.includes(kind))) ?? [];
    if (word === undefined || gone === undefined || parts.some((part) => part.field !== field)) return found;
    const left = said.filter((condition) => !gone.includes(condition));
    // What is none of some texts is no text as well.
    const isTold = left.length === 1 && /^(?:!=|not in) /.test(left[0] ?? '');
    const all = [...left, ...(isTold ? [] : [word])].map((condition) => `${field} ${condition}`);
    return all.length === 1 ? all.join('') : `(${all.join(' or ')})`;
  });

const conditionsAndPaths = new RegExp(`(${path}) (${told})|${path}|${text}`, 'gu');

/** Why something was not decided: a machine that was busy may have the time another day. */
export const inTime = (reason: string): string =>
  reason.replace('into too many parts', 'into more parts than there was time for');

/** What is said of a table by the fields that it reads, in the words of its columns, with texts as its cells have them. */
export function worded(message: string, content: unknown): string {
  const names = new Map(columnsOf(content).map((column) => [textOf(column['field']), textOf(column['name'])]));
  const named = (field: string): string => names.get(field) || field;
  const said = inTime(shortened(withoutClock(message).message)).replaceAll(
    conditionsAndPaths,
    (found: string, field?: string, condition: string = '') =>
      field === undefined ? named(found) : `${named(field)} ${inWords(condition)}`,
  );
  return cut(said);
}

/** Of more alternatives so many are told, and how many more there are. */
const mostTold = 6;
const manyChoices = /\(((?:[^()]*? or ){8}[^()]*)\)/g;
const manyValues = /(?:(?:"(?:[^"\\]|\\.)*"|-?[\d.-]+), ){8,}(?:"(?:[^"\\]|\\.)*"|-?[\d.-]+)/g;
/** What is none of these is cut where it is as long as a page. */
const mostLetters = 1000;

/** A sentence that somebody can read: that of a table of thousands of rows has thousands of parts. */
function cut(said: string): string {
  const first = (parts: readonly string[], between: string): string =>
    `${parts.slice(0, mostTold).join(between)} … and ${(parts.length - mostTold).toLocaleString('en')} more`;
  const short = said
    .replaceAll(manyValues, (found) => first(found.match(/"(?:[^"\\]|\\.)*"|-?[\d.-]+/g) ?? [], ', '))
    .replaceAll(manyChoices, (_, inner: string) => `(${first(inner.split(' or '), ' or ')})`);
  return short.length > mostLetters ? `${short.slice(0, mostLetters)} …` : short;
}

// What a run was given stands in quotes of its own, and stays; a date is told once, and not its moment again.
const partsOfStep = new RegExp(
  String.raw`“[^”]*”|\b(?:d|date)\((?:"([^"]*)"|'([^']*)')\)(?: \("\1\2[^"]*"\))?|\$root\["((?:[^"\\]|\\.)*)"\]|${path}(?= was | fits )`,
  'gu',
);

/** What is told of a step of a run, in the words of its table's columns, with dates as dates. */
export function wordedStep(sentence: string, content: unknown): string {
  const names = new Map(columnsOf(content).map((column) => [textOf(column['field']), textOf(column['name'])]));
  return sentence.replaceAll(
    partsOfStep,
    (found: string, date?: string, other?: string, member?: string) =>
      date ?? other ?? (names.get(found) || member || found),
  );
}

const range = new RegExp(String.raw`^in ([[(])(${value})\.\.(${value})([\])])$`, 'u');
const signs: readonly (readonly [sign: RegExp, words: string])[] = [
  [/^not in \[(.*)\]$/, 'is none of $1'],
  [/^in \[(.*)\]$/, 'is one of $1'],
  [/^!= (.*)$/, 'is not $1'],
  [/^= (.*)$/, 'is $1'],
];

/** `in [18..24]` as *is from 18 to 24*. Signs of comparison stay: everybody reads them. */
function inWords(condition: string): string {
  const [, opening, low = '', high = '', closing] = range.exec(condition) ?? [];
  if (opening !== undefined)
    return closing === ']' && opening === '['
      ? `is from ${written(low)} to ${written(high)}`
      : `is ${opening === '[' ? 'from' : 'over'} ${written(low)} ${closing === ']' ? 'up to' : 'to under'} ${written(high)}`;
  const [sign, words] = signs.find(([each]) => each.test(condition)) ?? [];
  return written(sign === undefined || words === undefined ? condition : condition.replace(sign, words));
}

/** Texts in the quotes of cells, and dates as dates. */
const written = (condition: string): string =>
  condition.replaceAll(/d\('([^']*)'\)|'([^']*)'/g, (_, date?: string, inner = '') => date ?? JSON.stringify(inner));

/** What a run gives beside what was given to it, as a table passes on; undefined where that is nothing. */
export function givenBeside(result: unknown, given: unknown): unknown {
  if (!isObject(result)) return result ?? undefined;
  const before = membersOf(given);
  const own = Object.entries(result).filter(([name, value]) => !(name in before && isSame(value, before[name])));
  return own.length === 0 ? undefined : Object.fromEntries(own);
}
