import { charge, chargeMade, chargeText } from '../../zen/budget.js';
import {
  chargeMatch,
  compileRegex,
  maxPatternLength,
  recentPattern,
  tooLongPattern,
  type Pattern,
} from '../../zen/pattern.js';
import { RegexError } from '../../zen/translate.js';
import { checkedLength, madeText } from '../values/text.js';
import type { Feel } from '../values/value.js';
import { type Builtin, type Call, define, optional, orNull, signature, string } from './define.js';
import { zenPattern } from './xpath.js';

/** A pattern of XPath on RE2, compiled once; null where it is none. */
function patternOf(call: Call, pattern: string, flags: string): Pattern | null {
  if (pattern.length > maxPatternLength) return call.fail(tooLongPattern);
  try {
    return recentPattern(call.run.state, `${flags}/${pattern}`, (pay) =>
      compileRegex(zenPattern(pattern, flags, pay), false, { refusal: (message) => new RegexError(message), pay }),
    );
  } catch (error) {
    if (error instanceof RegexError) return call.fail(error.message);
    throw error;
  }
}

function matcherOf(call: Call, text: string, pattern: string, flags: string, groups: number) {
  const compiled = patternOf(call, pattern, flags);
  if (compiled === null) return null;
  if (!chargeMatch(call.run.state, compiled, text, groups))
    return call.fail('takes a shorter text, or a smaller pattern');
  return compiled.re2;
}

/** XPath's replacement (`$1`, `\$`) as pieces: texts, and numbers of groups. */
function replacementOf(text: string, groups: number): (string | number)[] | undefined {
  const pieces: (string | number)[] = [];
  for (let index = 0; index < text.length; index++) {
    const [unit = '', next = ''] = [text[index], text[index + 1]];
    if (unit === '\\') {
      if (next !== '\\' && next !== '$') return undefined;
      pieces.push(next);
      index++;
    } else if (unit === '$') {
      if (!isDigit(next)) return undefined;
      let group = Number(next);
      index++;
      // As many digits as name a group that there is.
      for (
        let digit = text[index + 1];
        isDigit(digit) && group * 10 + Number(digit) <= groups;
        digit = text[index + 1]
      ) {
        group = group * 10 + Number(digit);
        index++;
      }
      pieces.push(group);
    } else {
      pieces.push(unit);
    }
  }
  return pieces;
}

const isDigit = (unit: string | undefined): unit is string => unit !== undefined && /^\d$/.test(unit);

function replace(call: Call, text: string, pattern: string, replacement: string, given?: string | null): Feel {
  const flags = given ?? '';
  const re2 = matcherOf(call, text, pattern, flags, 10);
  if (re2 === null) return null;
  const groups = re2.groupCount();
  const pieces = flags.includes('q') ? [replacement] : replacementOf(replacement, groups);
  if (pieces === undefined) return call.fail('takes a `replacement` in which `$` and `\\` come in pairs of XPath');
  const matcher = re2.matcher(text);
  if (re2.matcher('').find()) return call.fail('takes a pattern that does not match the empty text');
  let result = '';
  let done = 0;
  while (matcher.find()) {
    charge(call.run.state, 1 + pieces.length);
    const put = pieces.map((piece) =>
      typeof piece === 'string' ? piece : piece > groups ? '' : textOf(matcher.group(piece)),
    );
    result = madeText(result + text.slice(done, matcher.start()) + put.join(''), call.run);
    done = matcher.end();
  }
  return madeText(result + text.slice(done), call.run);
}

/** A group without a part in the match is null, whatever the library's types say. */
const textOf = (group: unknown): string => (typeof group === 'string' ? group : '');

function split(call: Call, text: string, delimiter: string): Feel {
  const re2 = matcherOf(call, text, delimiter, '', 1);
  if (re2 === null) return null;
  if (re2.matcher('').find()) return call.fail('takes a delimiter that does not match the empty text');
  const parts: string[] = [];
  const matcher = re2.matcher(text);
  let done = 0;
  while (matcher.find()) {
    parts.push(text.slice(done, matcher.start()));
    done = matcher.end();
    checkedLength(parts.length, call.run);
  }
  chargeMade(call.run.state, parts.length + 1);
  return [...parts, text.slice(done)];
}

export const patternFunctions: readonly Builtin[] = [
  define(
    'matches',
    'a boolean',
    'Whether a pattern of XPath, without references back, is found in a text.',
    'matches("foobar", "^fo*b")',
    [
      signature(
        [string('input'), string('pattern'), optional(orNull(string('flags')))],
        (call, input, pattern, flags) => {
          chargeText(call.run.state, input);
          return (
            matcherOf(call, input, pattern, flags ?? '', 0)
              ?.matcher(input)
              .find() ?? null
          );
        },
      ),
    ],
  ),
  define(
    'replace',
    'a text',
    'A text with all matches of a pattern replaced; `$1` is the first group.',
    'replace("abcd", "b(c)", "[$1]")',
    [
      signature(
        [string('input'), string('pattern'), string('replacement'), optional(orNull(string('flags')))],
        replace,
      ),
    ],
  ),
  define(
    'split',
    'a list of texts',
    'The parts of a text between the matches of a pattern.',
    'split("John Doe", "\\\\s")',
    [signature([string('string'), string('delimiter')], split)],
  ),
];
