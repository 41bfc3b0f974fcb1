import { rowsOf, textOf, type Fields } from '../graph/fields.js';

const key = String.raw`\["(?:[^"\\]|\\.)*"\]`;
const path = String.raw`(?:\$root${key}|[\p{L}_][\p{L}\p{N}_]*)(?:\.[\p{L}\p{N}_]+|${key})*`;
const textsAndPaths = new RegExp(`${path}|'[^']*'|"[^"]*"`, 'gu');
const rangesOfPaths = new RegExp(String.raw`(${path}) in \((-?\d+)\.\.(-?\d+)\)|'[^']*'|"[^"]*"`, 'gu');

const columnsOf = (content: unknown): readonly Fields[] => rowsOf(content, 'inputs');

/** What is said of a table by the fields that it reads, in the words of its columns. */
export function worded(message: string, content: unknown): string {
  const names = new Map(columnsOf(content).map((column) => [textOf(column['field']), textOf(column['name'])]));
  return message.replaceAll(textsAndPaths, (found) => names.get(found) || found);
}

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
