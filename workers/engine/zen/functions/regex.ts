import { Recent } from '../../recent.js';
import type { EngineError } from '../../errors.js';
import type { Footprint } from '../../footprint.js';
import type { RunState, Value } from '../../values.js';
import { charge } from '../budget.js';
import { chargeMatch, compilePattern, type Pattern } from '../pattern.js';
import { fault } from '../sourceSpan.js';
import { isAscii } from '../values/text.js';
import { callError, define, string, type CallSite, type ZenFunction } from './define.js';

/** Patterns that models build while running are few and repeat. They belong to the thread and to no program. */
const cache = new Recent<Pattern>({ maxCount: 100, maxWeight: 4 * 1024 * 1024 });
/**
 * Steps of compiling a pattern during a run: enough that the deadline is checked after each, and more for large ones.
 */
const stepsPerCompilation = 2000;
const workPerStep = 50;

/**
 * In the reference `\w` and `\d` know Unicode and in RE2 they do not, so texts that are not ASCII are matched with
 * classes spelled out.
 */
function compile(call: CallSite, pattern: string, ascii: boolean, pay: (work: number) => void): Pattern {
  const refusal = (message: string): EngineError => callError(call, message);
  return compilePattern(pattern, { refusal, pay, rewrite: ascii ? undefined : withUnicodeClasses });
}

function cached(call: CallSite, run: RunState, pattern: string, ascii: boolean): Pattern {
  const key = (ascii ? 'a' : 'u') + pattern;
  const known = cache.get(key);
  if (known) return known;
  const made = compile(call, pattern, ascii, (work) =>
    charge(run, stepsPerCompilation + Math.ceil(work / workPerStep)),
  );
  cache.set(key, made, made.bytes);
  return made;
}

/** A pattern that belongs to a program. */
function kept(call: CallSite, pattern: string, ascii: boolean, footprint: Footprint): Pattern {
  const made = compile(call, pattern, ascii, (work) => footprint.addWork(work));
  footprint.add(made.bytes);
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

function matchesWith(call: CallSite, run: RunState, pattern: Pattern, text: string): boolean {
  pay(call, run, pattern, text, 0);
  return pattern.re2.matcher(text).find();
}

function pay(call: CallSite, run: RunState, pattern: Pattern, text: string, groups: number): void {
  if (chargeMatch(run, pattern, text, groups)) return;
  throw fault(call, 'limit_string', `the text is too long for \`${call.name}\` with this pattern`);
}

/** From this many groups on a search's buffers, which grow with them, are released after use. */
const manyGroups = 20;

function extractWith(call: CallSite, run: RunState, pattern: Pattern, text: string): Value[] {
  const count = pattern.re2.groupCount();
  pay(call, run, pattern, text, count);
  const matcher = pattern.re2.matcher(text);
  const groups: Value[] = [];
  for (let index = 0; index <= count && (index > 0 || matcher.find()); index++) {
    const group: unknown = matcher.group(index);
    if (typeof group === 'string') groups.push(group);
  }
  if (count > manyGroups) pattern.re2.reset();
  return groups;
}

type Matching = (call: CallSite, run: RunState, pattern: Pattern, text: string) => Value;

/**
 * The implementation of a function over a text and a pattern. A literal pattern is compiled with the expression, and its
 * form for other texts than ASCII when the first one comes.
 */
function withPattern(match: Matching): Pick<ZenFunction<[string, string]>, 'run' | 'specialise'> {
  return {
    run: (call, run, text, pattern) => match(call, run, cached(call, run, pattern, isAscii(text)), text),
    specialise: (call, [, pattern], footprint) => {
      if (typeof pattern !== 'string') return undefined;
      const forAscii = kept(call, pattern, true, footprint);
      let forUnicode: Pattern | undefined;
      return (_call, run, text) => {
        if (typeof text !== 'string') return null;
        const compiled = isAscii(text) ? forAscii : (forUnicode ??= kept(call, pattern, false, footprint));
        return match(call, run, compiled, text);
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
