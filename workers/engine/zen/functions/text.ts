import type { RunState, Value } from '../../values.js';
import { chargeItems, chargeMade, chargeText } from '../budget.js';
import { checkedText, checkLength } from '../sourceSpan.js';
import { includes, isAmong, splitAt } from '../search.js';
import { ZenDate } from '../values/date.js';
import { utf8Length } from '../values/text.js';
import { callError, define, string, stringOrList, anything, type CallSite, type ZenFunction } from './define.js';

const charactersPerItem = 8;

/** White space as Unicode has it; `String.prototype.trim` differs in U+0085 and U+FEFF. */
function isWhite(code: number): boolean {
  if (code <= 0x20) return code === 0x20 || (code >= 9 && code <= 13);
  return code === 0x85 || (code !== 0xfeff && code >= 0xa0 && /\s/.test(String.fromCharCode(code)));
}

export function trimText(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isWhite(text.charCodeAt(start))) start += 1;
  while (end > start && isWhite(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** Changing case can lengthen a text (`ß`), so the limit is checked after it. */
function limited(call: CallSite, run: RunState, text: string): string {
  chargeText(run, text);
  chargeItems(run, text.length / charactersPerItem);
  return checkedText(call, run, text);
}

function split(call: CallSite, run: RunState, text: string, separator: string): string[] {
  chargeText(run, text);
  const most = run.limits.arrayLength;
  const pieces =
    separator === '' ? ['', ...Array.from(text.slice(0, most + 1)), ''] : splitAt(run, text, separator, most + 1);
  checkLength(call, run, pieces.length);
  chargeMade(run, pieces.length);
  return pieces;
}

function contains(call: CallSite, run: RunState, whole: string | Value[], part: Value): boolean {
  if (typeof whole === 'string') {
    if (typeof part === 'string') return includes(run, whole, part);
    if (part instanceof ZenDate) return includes(run, whole, part.toJSON());
    throw callError(call, 'looks for a string in a string; the 2nd argument is none');
  }
  return isAmong(run, whole, part);
}

export const textFunctions: readonly ZenFunction[] = [
  define({
    name: 'len',
    parameters: [stringOrList('value')],
    gives: 'a number',
    summary: 'Items of a list, or bytes of a text in UTF-8.',
    example: "len('abc') == 3",
    run: (_call, run, value) => {
      if (typeof value !== 'string') return value.length;
      chargeText(run, value);
      return utf8Length(value);
    },
  }),
  define({
    name: 'contains',
    parameters: [stringOrList('whole'), anything('part')],
    gives: 'a boolean',
    summary: 'Is the text in the text, or the scalar among the items of the list?',
    example: "contains('abc', 'b')",
    run: contains,
  }),
  define({
    name: 'upper',
    parameters: [string('text')],
    gives: 'a string',
    summary: 'The text in capitals.',
    example: "upper('abc') == 'ABC'",
    run: (call, run, text) => limited(call, run, text.toUpperCase()),
  }),
  define({
    name: 'lower',
    parameters: [string('text')],
    gives: 'a string',
    summary: 'The text in small letters.',
    example: "lower('ABC') == 'abc'",
    run: (call, run, text) => limited(call, run, text.toLowerCase()),
  }),
  define({
    name: 'trim',
    parameters: [string('text')],
    gives: 'a string',
    summary: 'The text without white space around it.',
    example: "trim(' a ') == 'a'",
    run: (_call, run, text) => {
      chargeText(run, text);
      return trimText(text);
    },
  }),
  define({
    name: 'startsWith',
    parameters: [string('text'), string('start')],
    gives: 'a boolean',
    summary: 'Does the text start so?',
    example: "startsWith('abc', 'a')",
    run: (_call, run, text, start) => {
      chargeText(run, start);
      return text.startsWith(start);
    },
  }),
  define({
    name: 'endsWith',
    parameters: [string('text'), string('end')],
    gives: 'a boolean',
    summary: 'Does the text end so?',
    example: "endsWith('abc', 'c')",
    run: (_call, run, text, end) => {
      chargeText(run, end);
      return text.endsWith(end);
    },
  }),
  define({
    name: 'split',
    parameters: [string('text'), string('separator')],
    gives: 'a list of strings',
    summary: 'The pieces of the text between the separators.',
    example: "split('a,b', ',')",
    run: split,
  }),
];
