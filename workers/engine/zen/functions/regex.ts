import type { Footprint } from '../../footprint.js';
import type { RunState, Value } from '../../values.js';
import { chargeMatch, compileRegex, recentPattern, type Pattern } from '../pattern.js';
import { errorAt } from '../sourceSpan.js';
import { isAscii } from '../values/text.js';
import { callError, define, string, type CallSite, type ZenFunction } from './define.js';

/** Patterns are those of the reference. A text of ASCII alone is matched with classes of ASCII, which are quicker. */
const compile = (call: CallSite, source: string, ascii: boolean, pay: (work: number) => void): Pattern =>
  compileRegex(source, ascii, { refusal: (message) => callError(call, message), pay });

/** The match and its groups; those without a part in it are left out. */
function extract({ re2 }: Pattern, text: string): string[] {
  const matcher = re2.matcher(text);
  const groups = re2.groupCount();
  const found: string[] = [];
  for (let index = 0; index <= groups && (index > 0 || matcher.find()); index++) {
    const group: unknown = matcher.group(index);
    if (typeof group === 'string') found.push(group);
  }
  if (groups > manyGroups) re2.reset();
  return found;
}

/** From this many groups on a search's buffers, which grow with them, are released after use. */
const manyGroups = 20;

const cached = (call: CallSite, run: RunState, pattern: string, ascii: boolean): Pattern =>
  recentPattern(run, (ascii ? 'a' : 'u') + pattern, (pay) => compile(call, pattern, ascii, pay));

/** A pattern that belongs to a program. */
function kept(call: CallSite, pattern: string, ascii: boolean, footprint: Footprint): Pattern {
  const made = compile(call, pattern, ascii, (work) => footprint.addWork(work));
  footprint.add(made.bytes);
  return made;
}

function matchesWith(call: CallSite, run: RunState, pattern: Pattern, text: string): boolean {
  pay(call, run, pattern, text, 0);
  return pattern.re2.matcher(text).find();
}

function pay(call: CallSite, run: RunState, pattern: Pattern, text: string, groups: number): void {
  if (chargeMatch(run, pattern, text, groups)) return;
  throw errorAt(call, 'limit_string', `the text is too long for \`${call.name}\` with this pattern`);
}

function extractWith(call: CallSite, run: RunState, pattern: Pattern, text: string): Value[] {
  pay(call, run, pattern, text, pattern.re2.groupCount());
  return extract(pattern, text);
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
    summary: 'Does the regular expression match somewhere in the text?',
    example: "matches('a1', '[0-9]')",
    ...withPattern(matchesWith),
  }),
  define({
    name: 'extract',
    parameters: [string('text'), string('pattern')],
    gives: 'a list of strings',
    summary: 'The first match of the regular expression and its groups; an empty list when there is none.',
    example: "extract('2024-05', '([0-9]+)-([0-9]+)')",
    ...withPattern(extractWith),
  }),
];
