import { chargeMade, chargeText } from '../../zen/budget.js';
import { includes, indexIn } from '../../zen/search.js';
import { truncated, numberFrom, type FeelNumber } from '../values/number.js';
import { checkedLength, madeText, textOf } from '../values/text.js';
import {
  anything,
  type Builtin,
  type Call,
  define,
  list,
  number,
  optional,
  orNull,
  signature,
  type Signature,
  string,
} from './define.js';

/** The characters of a text: those beyond the basic plane count as one. */
const characters = (text: string): readonly string[] => (hasPairs.test(text) ? Array.from(text) : text.split(''));
const hasPairs = /[\ud800-\udbff]/;

const two = (apply: (text: string, match: string, call: Call) => string | boolean): Signature =>
  signature([string('string'), string('match')], (call, text, match) => {
    chargeText(call.run.state, text);
    return apply(text, match, call);
  });

const cased = (apply: (text: string) => string): Signature =>
  signature([string('string')], (call, text) => madeText(apply(text), call.run));

function substring(call: Call, text: string, from: number | undefined, length: number | undefined): string | null {
  if (from === undefined || from === 0)
    return call.fail('takes a `start position` that is a whole number other than 0');
  if (length !== undefined && length < 1) return call.fail('takes a `length` of at least 1');
  chargeText(call.run.state, text);
  const all = characters(text);
  const start = from > 0 ? from - 1 : all.length + from;
  if (start < 0 || start > all.length) return from < 0 ? call.fail('starts before the text') : '';
  return all.slice(start, length === undefined ? undefined : start + length).join('');
}

/** A number from a text with separators. */
function numberWith(call: Call, from: string, grouping: string | null, point: string | null): FeelNumber | null {
  if (grouping !== null && ![' ', ',', '.'].includes(grouping))
    return call.fail('takes a blank, comma or point as `grouping separator`');
  if (point !== null && !['.', ','].includes(point)) return call.fail('takes a point or comma as `decimal separator`');
  if (grouping !== null && grouping === point) return call.fail('takes two different separators');
  let text = from;
  if (grouping !== null) text = text.replaceAll(grouping, '');
  if (point !== null && point !== '.') {
    if (text.includes('.')) return call.fail('takes a text that is a number');
    text = text.replaceAll(point, '.');
  }
  return numberFrom(text) ?? call.fail('takes a text that is a number');
}

export const textFunctions: readonly Builtin[] = [
  define('string', 'a text', 'The text of a value.', 'string(1.1)', [
    signature([anything('from')], (call, from) => (from === null ? null : textOf(from, call.run))),
  ]),
  define(
    'number',
    'a number',
    'The number that a text names, perhaps with separators.',
    'number("1 000,0", " ", ",")',
    [
      signature([number('from')], (_, from) => from),
      signature([string('from')], (call, from) => numberWith(call, from, null, null)),
      signature(
        [string('from'), orNull(string('grouping separator')), orNull(string('decimal separator'))],
        numberWith,
      ),
    ],
  ),
  define('string length', 'a number', 'How many characters a text has.', 'string length("foo")', [
    signature([string('string')], (call, text) => {
      chargeText(call.run.state, text);
      return characters(text).length;
    }),
  ]),
  define(
    'substring',
    'a text',
    'A part of a text; positions begin at 1, negative ones count from the end.',
    'substring("foobar", 3, 2)',
    [
      signature([string('string'), number('start position'), optional(number('length'))], (call, text, from, length) =>
        substring(call, text, truncated(from), length === undefined ? undefined : (truncated(length) ?? 0)),
      ),
    ],
  ),
  define('upper case', 'a text', 'The text in capitals.', 'upper case("aBc4")', [cased((text) => text.toUpperCase())]),
  define('lower case', 'a text', 'The text in small letters.', 'lower case("aBc4")', [
    cased((text) => text.toLowerCase()),
  ]),
  define('substring before', 'a text', 'The text before a match.', 'substring before("foobar", "bar")', [
    two((text, match, { run }) => text.slice(0, Math.max(0, indexIn(run.state, text, match)))),
  ]),
  define('substring after', 'a text', 'The text after a match.', 'substring after("foobar", "ob")', [
    two((text, match, { run }) => {
      const index = indexIn(run.state, text, match);
      return index === -1 ? '' : text.slice(index + match.length);
    }),
  ]),
  define('contains', 'a boolean', 'Whether a text has another one in it.', 'contains("foobar", "of")', [
    two((text, match, { run }) => includes(run.state, text, match)),
  ]),
  define('starts with', 'a boolean', 'Whether a text begins with another.', 'starts with("foobar", "fo")', [
    two((text, match) => text.startsWith(match)),
  ]),
  define('ends with', 'a boolean', 'Whether a text ends with another.', 'ends with("foobar", "r")', [
    two((text, match) => text.endsWith(match)),
  ]),
  define(
    'string join',
    'a text',
    'The texts of a list as one, with a delimiter between them; null is left out.',
    'string join(["a", "b"], "_and_")',
    [
      signature([list('list'), optional(orNull(string('delimiter')))], (call, items, delimiter) =>
        join(call, items, delimiter),
      ),
    ],
  ),
];

function join(call: Call, items: readonly unknown[], delimiter: string | null | undefined): string | null {
  const texts: string[] = [];
  let length = 0;
  for (const item of items) {
    if (item === null) continue;
    if (typeof item !== 'string') return call.fail('takes a list of texts');
    texts.push(item);
    length += item.length + (delimiter?.length ?? 0);
    if (length > call.run.limits.stringLength + 100_000) break;
  }
  chargeMade(call.run.state, texts.length);
  checkedLength(texts.length, call.run);
  return madeText(texts.join(delimiter ?? ''), call.run);
}
