import type { RE2JS } from 're2js';
import type { RunState, Value } from '../../values.js';
import { charge } from '../budget.js';
import { chargeMatch, compilePattern } from '../pattern.js';
import { fault } from '../sourceSpan.js';
import { isAscii } from '../values/text.js';
import { callError, define, string, type CallSite, type ZenFunction } from './define.js';

/** Patterns that models build while running are few and repeat; a small cache, emptied when full, keeps them bounded. */
const cacheSize = 100;
const cache = new Map<string, RE2JS>();
/** Much enough that the clock is read after each. */
const stepsPerCompilation = 2000;

/**
 * In the reference `\w` and `\d` know Unicode and in RE2 they do not, so texts that are not ASCII are matched with
 * classes spelled out.
 */
function compile(call: CallSite, pattern: string, ascii: boolean): RE2JS {
  return compilePattern(pattern, (message) => callError(call, message), ascii ? undefined : withUnicodeClasses);
}

function cached(call: CallSite, run: RunState, pattern: string, ascii: boolean): RE2JS {
  const key = (ascii ? 'a' : 'u') + pattern;
  const known = cache.get(key);
  if (known) return known;
  charge(run, stepsPerCompilation);
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

/** An escape, a named class such as `[:digit:]`, what opens a class, what closes one. */
const classTokens = /\\[\s\S]|\[:\^?[a-z]+:\]|\[\^?\]?|\]/g;

/** `\w` as `[\p{L}…]`, inside a class without the brackets; negated classes inside a class stay as they are. */
function withUnicodeClasses(pattern: string): string {
  let inClass = false;
  return pattern.replace(classTokens, (token) => {
    if (!token.startsWith('\\')) {
      const isNamed = token.startsWith('[:');
      // The first bracket of a class is a member even where it closes: `[]a]`.
      if (!isNamed) inClass = inClass ? !token.endsWith(']') : token.startsWith('[');
      return token;
    }
    const letter = token.slice(1);
    const members = classes[letter.toLowerCase()];
    if (members === undefined) return token;
    const negated = letter !== letter.toLowerCase();
    if (inClass) return negated ? token : members;
    return `[${negated ? '^' : ''}${members}]`;
  });
}

function matchesWith(call: CallSite, run: RunState, pattern: RE2JS, text: string): boolean {
  pay(call, run, pattern, text);
  return pattern.matcher(text).find();
}

function pay(call: CallSite, run: RunState, pattern: RE2JS, text: string): void {
  if (chargeMatch(run, pattern, text)) return;
  throw fault(call, 'limit_string', `the text is too long for \`${call.name}\` with this pattern`);
}

function extractWith(call: CallSite, run: RunState, pattern: RE2JS, text: string): Value[] {
  pay(call, run, pattern, text);
  const matcher = pattern.matcher(text);
  if (!matcher.find()) return [];
  const groups: Value[] = [];
  for (let index = 0; index <= matcher.groupCount(); index++) {
    const group: unknown = matcher.group(index);
    if (typeof group === 'string') groups.push(group);
  }
  return groups;
}

type Search = (call: CallSite, run: RunState, pattern: RE2JS, text: string) => Value;

/**
 * The implementation of a function over a text and a pattern. A literal pattern is compiled with the expression, and its
 * form for other texts than ASCII when the first one comes.
 */
function withPattern(search: Search): Pick<ZenFunction<[string, string]>, 'run' | 'specialise'> {
  return {
    run: (call, run, text, pattern) => search(call, run, cached(call, run, pattern, isAscii(text)), text),
    specialise: (call, [, pattern]) => {
      if (typeof pattern !== 'string') return undefined;
      const forAscii = compile(call, pattern, true);
      let forUnicode: RE2JS | undefined;
      return (_call, run, text) => {
        if (typeof text !== 'string') return null;
        return search(call, run, isAscii(text) ? forAscii : (forUnicode ??= compile(call, pattern, false)), text);
      };
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
