import { fields, list, readable, textIn, type Fields } from './traced.js';

/** What a row of a table asks for, in words, as pages and papers tell it. */

const ruleAt = ({ rules }: Fields, row: number): unknown => (Array.isArray(rules) ? rules[row] : undefined);

/** The conditions of a row, as people write them: quotes and brackets are for the machine. */
export function conditionsOf(content: Fields, row: number): string {
  const rule = fields(ruleAt(content, row));
  return (
    list(content['inputs'])
      .map((column) => textIn(rule[textIn(column['id'])]).trim())
      // A dash of DMN is a cell that asks for nothing.
      .filter((cell) => cell !== '' && cell !== '-')
      .map((cell) => plain(readable(cell)))
      .join(', ')
  );
}

/** What tells a row from others, beside its number; nothing where a table has no such row. */
export function rowWords(content: Fields, row: number | null): string {
  if (row === null || ruleAt(content, row) === undefined) return '';
  const words = conditionsOf(content, row) || 'asks for nothing';
  return words.length > mostLetters ? `${words.slice(0, mostLetters).toWellFormed()}…` : words;
}

const mostLetters = 80;

/** A cell without what is for the machine. */
export const plain = (cell: string): string =>
  cell
    .replaceAll(/(?:\b(?:d|date|time|date and time|duration)\(\s*("[^"]*"|'[^']*')\s*\)|@("[^"]*"))/g, '$1$2')
    .replaceAll(/(["'])((?:(?!\1).)*)\1/g, '$2')
    .replace(/^\[\s*([^[\]]+?)\s*\.\.\s*([^[\]]+?)\s*\]$/, '$1–$2')
    .replaceAll('>=', '≥')
    .replaceAll('<=', '≤');
