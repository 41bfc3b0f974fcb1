import { zenText } from './literals.js';

// Codes of digits with zeros before them, as postcodes are: texts, which have no order, among what may be numbers.

const padded = /(?<![\d.,:])0\d+(?![\d.,:])/;

/** `10 001` is one number, whose thousands stand apart. */
const thousands = /(?<![\d.,:])[1-9]\d{0,2}(?:[ \u00A0\u2007\u2009\u202F]\d{3})+(?!\d)/g;

/** Whether a number in a cell has zeros before it. */
export const hasPadded = (cell: string): boolean =>
  /^[^"']*$/.test(cell) && padded.test(cell) && padded.test(cell.replace(thousands, '1'));

const digits = /^\d+$/;
const inOrder = /^(?:[<>]=?|!=) ?\d+$/;
const range = /^[[(]\d+\.\.\d+[\])]$/;

/**
 * A condition of numbers as one of codes: each is the text that stands in the cell, and what is asked of their order is asked of the
 * number that a text has. Undefined where it is none of whole numbers.
 */
export function asCodes(condition: string, cell: string): string | undefined {
  const written = cell.match(/\d+/g) ?? [];
  const parts = condition.split(', ').map((part) => {
    if (digits.test(part)) return written.filter((each) => Number(each) === Number(part)).map(zenText)[0];
    if (range.test(part)) return `number($) in ${part}`;
    return inOrder.test(part) ? `number($) ${part}` : undefined;
  });
  return parts.includes(undefined) ? undefined : parts.join(', ');
}

/** `01000-01999` among texts. */
export const isRangeOfCodes = (cell: string): boolean => {
  const [, first = '', last = ''] = /^(\d+) ?[-–—] ?(\d+)$/.exec(cell) ?? [];
  return first.length === last.length && first.length > 1 && Number(first) < Number(last);
};

/** More of them are no list that somebody reads. */
const mostCodes = 200;

/**
 * `AB10` and `AB19`, or the years `2024/25` and `2026/27`, as all codes from one to the other; empty where they are no two of one
 * kind, in an order. Before the last one its letters may be left out.
 */
export function codesBetween(first: string, last: string): readonly string[] {
  const [from, to] = [first, last].map((each) => Number(schoolYear.exec(each)?.[1]));
  if (from !== undefined && to !== undefined && from < to && to - from < mostCodes)
    return Array.from({ length: to - from + 1 }, (_none, at) => `${from + at}/${String(from + at + 1).slice(-2)}`);
  const [, lead = '', low = ''] = coded.exec(first) ?? [];
  const [, other, high = ''] = coded.exec(/^\d/.test(last) ? `${lead}${last}` : last) ?? [];
  const count = Number(high) - Number(low) + 1;
  // Where one has a zero before it, all have as many digits.
  const isPadded = /^0/.test(low) || /^0/.test(high);
  if (lead === '' || lead !== other || count < 2 || count > mostCodes || (isPadded && low.length !== high.length))
    return [];
  return Array.from({ length: count }, (_none, at) => {
    const number = String(Number(low) + at);
    return `${lead}${isPadded ? number.padStart(low.length, '0') : number}`;
  });
}

const schoolYear = /^((?:19|20)\d\d)\/\d\d$/;
const coded = /^(\p{L}{1,4}[ -]?)(\d{1,6})$/u;
