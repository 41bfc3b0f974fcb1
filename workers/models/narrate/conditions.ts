import { fields, list, readable, textIn, type Fields, type NearestRow } from './traced.js';

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

/**
 * `. The nearest is row 8: Sample date was “2027-07-01”, which does not fit ≤ 2027-06-30`, behind the words that no row matched; ''
 * where no row came near.
 */
export const nearestInWords = (nearest: NearestRow | undefined): string =>
  nearest === undefined
    ? ''
    : `. The nearest is row ${nearest.index + 1}: ${nearest.missed.map(missedInWords).join(', and ')}`;

const missedInWords = ({ column, condition, value }: NearestRow['missed'][number]): string =>
  `${column}${value === undefined ? '' : ` was ${value}, which`} does not fit ${plain(condition)}`;
