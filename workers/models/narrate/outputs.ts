import { fromJson, shown, whyItMatched } from '../../engine/index.js';
import { formatJson, isRecord, shortName } from '../../json/index.js';

/** Fields that are told; more nobody reads. */
const mostFields = 12;
/** Characters of a list or an object that is told as it is. */
const longest = 110;

/** What an element gave, as its result has it: null is a value there. What is long is told by its fields, never cut within. */
export function given(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return shown(value);
  const isLong = typeof value === 'object' && formatJson(value).length > longest;
  if (isLong && Array.isArray(value)) return `a list of ${value.length}`;
  return isLong && isRecord(value) ? listed(fieldsOf(value, undefined, '')) : shown(fromJson(value));
}

/** That a row of a table matched, and why: what each of its cells says. @param word what the language calls a row */
export const matched = (word: 'row' | 'rule', index: number, why: readonly string[]): string =>
  `matched ${word} ${index + 1}, ${why.length === 0 ? 'which asks for nothing' : `because ${why.join(', and ')}`}`;

/** Why a cell matched; without the value that it was asked of, only that it did. */
export const whyItFits = (cell: string, asked: string, value: unknown): string =>
  value === undefined ? `${asked} fits ${cell}` : whyItMatched(cell, asked, fromJson(value));

/**
 * What a step gave, field by field, each value whole: not what had come in and only went on.
 * @param input what came into the step
 */
export function gaveFields(output: unknown, input: unknown): string {
  if (!isRecord(output)) return `gave ${given(output)}`;
  const told = fieldsOf(output, input, '');
  if (told.length > 0) return `gave ${listed(told)}`;
  return Object.keys(output).length === 0 ? 'gave nothing' : 'passed on what came in';
}

function listed(told: readonly string[]): string {
  const more = told.length - mostFields;
  return [...told.slice(0, mostFields), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

const fieldsOf = (output: Readonly<Record<string, unknown>>, input: unknown, path: string): string[] =>
  Object.entries(output).flatMap(([name, value]) => {
    const before = isRecord(input) ? input[name] : undefined;
    if (before !== undefined && formatJson(before) === formatJson(value)) return [];
    const field = `${path}${shortName(name)}`;
    if (isRecord(value) && Object.keys(value).length > 0) return fieldsOf(value, before, `${field}.`);
    return [`${field} ${given(value)}`];
  });
