import { RE2JS } from 're2js';
import type { RunState, Value } from '../../values.js';
import { isAscii } from '../values/text.js';
import { callError, define, string, type CallSite, type ZenFunction } from './define.js';
import { chargeText } from './text.js';

/** Patterns that models build while running are few and repeat; a small cache, emptied when full, keeps them bounded. */
const cacheSize = 200;
const cache = new Map<string, RE2JS>();
const maxPatternLength = 10_000;

/**
 * Matching in linear time (RE2), since patterns and texts come from strangers. In the reference `\w` and `\d` know
 * Unicode and in RE2 they do not, so texts that are not ASCII are matched with classes spelled out.
 */
function compile(call: CallSite, pattern: string, ascii: boolean): RE2JS {
  if (pattern.length > maxPatternLength)
    throw callError(call, `takes a pattern of at most ${maxPatternLength} characters`);
  try {
    return RE2JS.compile(ascii ? pattern : withUnicodeClasses(pattern));
  } catch (error) {
    throw callError(
      call,
      `takes a regular expression, and this is none: ${error instanceof Error ? error.message : 'error'}`,
    );
  }
}

function cached(call: CallSite, pattern: string, ascii: boolean): RE2JS {
  const key = (ascii ? 'a' : 'u') + pattern;
  const known = cache.get(key);
  if (known) return known;
  const made = compile(call, pattern, ascii);
  if (cache.size >= cacheSize) cache.clear();
  cache.set(key, made);
  return made;
}

const classes: Readonly<Record<string, string>> = {
  w: '\\p{L}\\p{M}\\p{Nd}\\p{Pc}',
  d: '\\p{Nd}',
  s: '\\s\\x{85}\\p{Z}',
};

/** `\w` as `[\p{L}…]`, inside a class without the brackets; negated classes inside a class stay as they are. */
function withUnicodeClasses(pattern: string): string {
  let inClass = false;
  return pattern.replace(/\\[\s\S]|[[\]]/g, (token) => {
    if (token === '[') inClass = true;
    else if (token === ']') inClass = false;
    const letter = token.slice(1);
    const members = classes[letter.toLowerCase()];
    if (members === undefined) return token;
    const negated = letter !== letter.toLowerCase();
    if (inClass) return negated ? token : members;
    return `[${negated ? '^' : ''}${members}]`;
  });
}

function matchesWith(patternFor: PatternFor, run: RunState, text: string): boolean {
  chargeText(run, text);
  return patternFor(text).matcher(text).find();
}

function extractWith(patternFor: PatternFor, run: RunState, text: string): Value[] {
  chargeText(run, text);
  const matcher = patternFor(text).matcher(text);
  if (!matcher.find()) return [];
  const groups: Value[] = [];
  for (let index = 0; index <= matcher.groupCount(); index++) {
    const group: unknown = matcher.group(index);
    if (typeof group === 'string') groups.push(group);
  }
  return groups;
}

type PatternFor = (text: string) => RE2JS;

/** A literal pattern is compiled with the expression; its form for other texts than ASCII when the first one comes. */
function literalPattern(call: CallSite, pattern: string): PatternFor {
  const forAscii = compile(call, pattern, true);
  let forUnicode: RE2JS | undefined;
  return (text) => (isAscii(text) ? forAscii : (forUnicode ??= compile(call, pattern, false)));
}

/** The implementation of a function over a text and a pattern. */
function withPattern(
  search: (patternFor: PatternFor, run: RunState, text: string) => Value,
): Pick<ZenFunction<[string, string]>, 'run' | 'specialise'> {
  return {
    run: (call, run, text, pattern) => search((subject) => cached(call, pattern, isAscii(subject)), run, text),
    specialise: (call, [, pattern]) => {
      if (typeof pattern !== 'string') return undefined;
      const patternFor = literalPattern(call, pattern);
      return (_call, run, text) => search(patternFor, run, typeof text === 'string' ? text : '');
    },
  };
}

export const regexFunctions: readonly ZenFunction[] = [
  define({
    name: 'matches',
    parameters: [string('text'), string('pattern')],
    gives: 'a boolean',
    unary: 'boolean',
    summary: 'Does the regular expression match somewhere in the text?',
    example: "matches('a1', '[0-9]')",
    ...withPattern(matchesWith),
  }),
  define({
    name: 'extract',
    parameters: [string('text'), string('pattern')],
    gives: 'a list of strings',
    unary: 'in',
    summary: 'The first match of the regular expression and its groups; an empty list when there is none.',
    example: "extract('2024-05', '([0-9]+)-([0-9]+)')",
    ...withPattern(extractWith),
  }),
];
