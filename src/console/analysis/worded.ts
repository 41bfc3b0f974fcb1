import { isSame } from '../api/exactJson.js';
import { isObject, membersOf, rowsOf, textOf, type Fields } from '../graph/fields.js';

const key = String.raw`\["(?:[^"\\]|\\.)*"\]`;
const path = String.raw`(?:\$root${key}|[\p{L}_][\p{L}\p{N}_]*)(?:\.[\p{L}\p{N}_]+|${key})*`;
const rangesOfPaths = new RegExp(String.raw`(${path}) in \((-?\d+)\.\.(-?\d+)\)|'[^']*'|"[^"]*"`, 'gu');

const columnsOf = (content: unknown): readonly Fields[] => rowsOf(content, 'inputs');

/** The columns of which a message tells what lies between two whole numbers, where nobody has said that nothing does. */
export function inFractions(message: string, content: unknown): readonly Fields[] {
  const fields = new Set(
    [...message.matchAll(rangesOfPaths)].flatMap(([, field = '', low, high]) =>
      Number(high) === Number(low) + 1 ? [field] : [],
    ),
  );
  return columnsOf(content).filter((column) => fields.has(textOf(column['field'])) && column['_whole'] !== true);
}

const text = String.raw`'[^']*'|"(?:[^"\\]|\\.)*"`;
const value = String.raw`(?:d\((?:${text})\)|${text}|-?\d[\d.]*(?:e[+-]?\d+)?)`;
const told = String.raw`(?:!=|[<>]=?|=) ${value}|(?:not )?in \[${value}(?:, ${value})*\]|in [[(]${value}\.\.${value}[\])]`;
const wholeGap = new RegExp(`^No row takes (?:${path}) (?:${told})(?: and (?:${path}) (?:${told}))*$`, 'u');
const partsOfGap = new RegExp(`(${path}) (${told})`, 'gu');

const conditionsAndPaths = new RegExp(`(${path}) (${told})|${path}|${text}`, 'gu');

/** What is said of a table by the fields that it reads, in the words of its columns, with texts as its cells have them. */
export function worded(message: string, content: unknown): string {
  const names = new Map(columnsOf(content).map((column) => [textOf(column['field']), textOf(column['name'])]));
  const named = (field: string): string => names.get(field) || field;
  return message.replaceAll(conditionsAndPaths, (found: string, field?: string, condition: string = '') =>
    field === undefined ? named(found) : `${named(field)} ${inWords(condition)}`,
  );
}

// What a run was given stands in quotes of its own, and stays.
const partsOfStep = new RegExp(
  String.raw`“[^”]*”|\b(?:d|date)\((?:"([^"]*)"|'([^']*)')\)|\$root\["((?:[^"\\]|\\.)*)"\]|${path}(?= was | fits )`,
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

/**
 * What a message says of a gap, as a cell of each field's column: `> 5`, `[18..24]`, `"Car"`. Null where it says more than cells
 * can, or is not sure how far the gap goes.
 */
export function cellsOfGap(message: string): ReadonlyMap<string, string> | null {
  if (!wholeGap.test(message)) return null;
  return new Map([...message.matchAll(partsOfGap)].map(([, field = '', condition = '']) => [field, cellOf(condition)]));
}

const cellOf = (condition: string): string =>
  condition
    .replace(/'([^']*)'/g, (_, inner: string) => JSON.stringify(inner))
    .replace(/^= |^in (?=[[(].*\.\.[^,]*[\])]$)/, '')
    .replace(/^in \[(.*)\]$/, '$1');

/** What a run gives beside what was given to it, as a table passes on; undefined where that is nothing. */
export function givenBeside(result: unknown, given: unknown): unknown {
  if (!isObject(result)) return result ?? undefined;
  const before = membersOf(given);
  const own = Object.entries(result).filter(([name, value]) => !(name in before && isSame(value, before[name])));
  return own.length === 0 ? undefined : Object.fromEntries(own);
}
