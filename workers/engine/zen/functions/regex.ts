import { Recent } from '../../../recent/index.js';
import type { EngineError } from '../../errors.js';
import type { Footprint } from '../../footprint.js';
import type { RunState, Value } from '../../values.js';
import { charge } from '../budget.js';
import { chargeMatch, compilePattern, parsePattern, refusing, type Pattern } from '../pattern.js';
import { machineOf } from '../regex/machine.js';
import type { ParsedRegex } from '../regex/tree.js';
import { writeRe2 } from '../regex/write.js';
import { errorAt } from '../sourceSpan.js';
import { isAscii } from '../values/text.js';
import { callError, define, string, type CallSite, type ZenFunction } from './define.js';

/** Patterns that models build while running are few and repeat. They belong to the thread and to no program. */
const cache = new Recent<Matcher>({ maxCount: 100, maxWeight: 4 * 1024 * 1024 });
/**
 * Steps of compiling a pattern during a run: enough that the deadline is checked after each, and more for large ones.
 */
const stepsPerCompilation = 2000;
const workPerStep = 50;

/** A pattern in one of its forms: RE2's, or a machine of our own for what RE2 lacks. */
interface Matcher {
  readonly size: number;
  readonly bytes: number;
  readonly groups: number;
  readonly test: (text: string) => boolean;
  /** The match and its groups; those without a part in it are left out. */
  readonly extract: (text: string) => string[];
}

/** Patterns are those of the reference. A text of ASCII alone is matched with classes of ASCII, which are quicker. */
function compile(call: CallSite, source: string, ascii: boolean, pay: (work: number) => void): Matcher {
  const refusal = (message: string): EngineError => callError(call, message);
  const parsed = parsePattern(source, refusal);
  const isOwn = parsed.isBeyondRe2 || (parsed.asksForWords && !ascii);
  return refusing(refusal, () =>
    isOwn
      ? ownMatcher(parsed, pay)
      : re2Matcher(compilePattern(writeRe2(parsed.tree, { ascii, pay }), { refusal, pay })),
  );
}

function re2Matcher({ re2, size, bytes }: Pattern): Matcher {
  const groups = re2.groupCount();
  return {
    size,
    bytes,
    groups,
    test: (text) => re2.matcher(text).find(),
    extract(text) {
      const matcher = re2.matcher(text);
      const found: string[] = [];
      for (let index = 0; index <= groups && (index > 0 || matcher.find()); index++) {
        const group: unknown = matcher.group(index);
        if (typeof group === 'string') found.push(group);
      }
      if (groups > manyGroups) re2.reset();
      return found;
    },
  };
}

/** Its steps take so many times as long as RE2's. */
const slowness = 5;
const bytesPerInstruction = 300;

function ownMatcher(parsed: ParsedRegex, pay: (work: number) => void): Matcher {
  const { size, exec } = machineOf(parsed, pay);
  pay(size);
  return {
    size: size * slowness,
    bytes: size * bytesPerInstruction,
    groups: parsed.groups,
    test: (text) => exec(text) !== undefined,
    extract: (text) => (exec(text) ?? []).filter((group) => group !== undefined),
  };
}

/** From this many groups on a search's buffers, which grow with them, are released after use. */
const manyGroups = 20;

function cached(call: CallSite, run: RunState, pattern: string, ascii: boolean): Matcher {
  const key = (ascii ? 'a' : 'u') + pattern;
  const matcher = cache.get(key);
  if (matcher) return matcher;
  const made = compile(call, pattern, ascii, (work) =>
    charge(run, stepsPerCompilation + Math.ceil(work / workPerStep)),
  );
  cache.set(key, made, made.bytes);
  return made;
}

/** A pattern that belongs to a program. */
function kept(call: CallSite, pattern: string, ascii: boolean, footprint: Footprint): Matcher {
  const made = compile(call, pattern, ascii, (work) => footprint.addWork(work));
  footprint.add(made.bytes);
  return made;
}

function matchesWith(call: CallSite, run: RunState, pattern: Matcher, text: string): boolean {
  pay(call, run, pattern, text, 0);
  return pattern.test(text);
}

function pay(call: CallSite, run: RunState, pattern: Matcher, text: string, groups: number): void {
  if (chargeMatch(run, pattern, text, groups)) return;
  throw errorAt(call, 'limit_string', `the text is too long for \`${call.name}\` with this pattern`);
}

function extractWith(call: CallSite, run: RunState, pattern: Matcher, text: string): Value[] {
  pay(call, run, pattern, text, pattern.groups);
  return pattern.extract(text);
}

type Matching = (call: CallSite, run: RunState, pattern: Matcher, text: string) => Value;

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
      let forUnicode: Matcher | undefined;
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
