import type { Random } from './random.js';

const plainParts = [
  'Spring',
  'rates',
  'é',
  '日本',
  'straße',
  '42',
  'a/b',
  "o'neil",
  '100%',
  '<b>',
  '"q"',
  '\\',
  ';--',
  '😀',
  '$link',
];

/** A text that no rule of the API objects to, within `min` to `max` characters, without white space at its ends. */
export function plainText(random: Random, min: number, max: number, mark: string): string {
  const length = random.oneIn(4) ? random.pick([min, max, Math.min(max, min + 1)]) : random.int(min, Math.min(max, 40));
  let text = random.oneIn(2) ? mark : random.pick(plainParts);
  while (Array.from(text).length < length) text += ` ${random.pick(plainParts)}`;
  return fitted(text, length);
}

function fitted(text: string, length: number): string {
  const characters = Array.from(text).slice(0, length);
  if (characters.at(-1) === ' ') characters[characters.length - 1] = '.';
  return characters.join('');
}

/** Texts that break something somewhere: in SQL, in a log, in a header, in a template, in JSON, in a browser. */
export const oddTexts: readonly string[] = [
  '',
  ' ',
  '\t\r\n',
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udc00y',
  '\u007f\u0085\u009f',
  '\ufeff',
  '\u202eoverride',
  '\u200b',
  '\uffff',
  'e\u0301'.repeat(200),
  '😀'.repeat(255),
  '😀'.repeat(256),
  'x'.repeat(4001),
  'x'.repeat(20_000),
  "' OR 1=1 --",
  '"; DROP TABLE executions; --',
  '${7*7}{{7*7}}#{7*7}',
  '../../../../etc/passwd',
  '%00%ff%2e%2e',
  '__proto__',
  'constructor',
  'NaN',
  '-0',
  '1e999',
  'null',
  'true',
  '[object Object]',
  'http://user:secret@example.com/',
  'javascript:alert(1)',
  'https:example.com',
  'a@b\r\nBcc: c@d.example',
  '+358401234567\r\n',
];

/** Header values that HTTP allows and nobody expects. */
export const oddHeaderValues: readonly string[] = [
  ' ',
  '*',
  '""',
  'W/"1"',
  '"1", "2",, "3"',
  '"unterminated',
  'x'.repeat(300),
  '\u00e9\u00ff',
  'a,b;c=d',
  '-1',
  '\ttab\t',
];
