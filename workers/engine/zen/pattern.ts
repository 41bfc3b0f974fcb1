import { RE2JS } from 're2js';
import { Recent } from '../../recent/index.js';
import type { RunState } from '../values.js';
import { charge } from './budget.js';
import { patternSize } from './patternSize.js';
import { RegexError, toRe2 } from './translate.js';

export const maxPatternLength = 2000;
/** Instructions of a compiled pattern; `a{1000}` is a thousand. */
const maxProgramSize = 5000;
/** Instructions and groups multiplied: while a text is matched, each instruction may hold all groups. */
const maxPositions = 500_000;
/** Ranges of characters of all instructions, some of which the library copies for each of them. */
const maxRanges = 2_000_000;
/** Steps of the compilation of one pattern, about a tenth of a second. */
const maxCompilation = 500_000;
/** Matching takes at most text times program; about two seconds' worth. */
const maxWork = 50_000_000;
const workPerStep = 500;
/** Groups that cost as much as an instruction without any. */
const groupsPerUnit = 16;
/** Estimated bytes of an instruction: its object, and its entries in the two queues and the stack of a search. */
const bytesPerInstruction = 320;
/** Most bytes of the copies of ranges that speed up searches from the start of a text. */
const maxCopies = 256 * 1024;

/** Patterns that models build while running are few and repeat. They belong to the thread and to no program. */
const recent = new Recent<Pattern>({ maxCount: 100, maxWeight: 4 * 1024 * 1024 });
/** Steps of compiling a pattern during a run: enough that the deadline is checked after each, and more for large ones. */
const stepsPerCompilation = 2000;
const workPerCompilationStep = 50;

/**
 * The pattern of a key, which is made where it is not known.
 * @throws EngineError as `charge` does, and what `make` throws
 */
export function recentPattern(run: RunState, key: string, make: (pay: Compilation['pay']) => Pattern): Pattern {
  const known = recent.get(key);
  if (known !== undefined) return known;
  charge(run, stepsPerCompilation);
  const made = make((work) => charge(run, Math.ceil(work / workPerCompilationStep)));
  recent.set(key, made, made.bytes);
  return made;
}

/** Undocumented fields of the library, from which a compiled pattern's memory is estimated. */
interface Instruction {
  readonly runes: { readonly length: number } | null;
  readonly next: { readonly length: number } | null;
}

/** A pattern that matches in linear time (RE2), because patterns and texts are untrusted. */
export interface Pattern {
  readonly re2: RE2JS;
  /** Bytes that it keeps, about. */
  readonly bytes: number;
  /** Instructions of the program: matching takes time in proportion to it for each character of a text. */
  readonly size: number;
}

/** How a pattern is compiled. */
interface Compilation {
  /** The error of a pattern that is not allowed, from a message such as `takes a pattern of …`. */
  readonly refusal: (message: string) => Error;
  /** Is told the steps of the compilation that is about to be done, and may throw. */
  readonly pay: (work: number) => void;
}

/**
 * Compiles a pattern of an expression, which is the reference's.
 * @param ascii it is for texts of ASCII alone
 * @throws what `refusal` gives and `pay` throws
 */
export function compileRegex(source: string, ascii: boolean, compilation: Compilation): Pattern {
  const { refusal } = compilation;
  if (source.length > maxPatternLength) throw refusal(tooLongPattern);
  let pattern: string;
  try {
    pattern = toRe2(source, ascii);
  } catch (error) {
    if (error instanceof RegexError) throw refusal(noPattern + error.message);
    throw error;
  }
  return compilePattern(pattern, compilation);
}

/**
 * Compiles a pattern that keeps within the limits above.
 * @param pattern of RE2
 * @throws what `refusal` gives and `pay` throws
 */
export function compilePattern(pattern: string, { refusal, pay }: Compilation): Pattern {
  const { instructions, ranges, work } = patternSize(pattern);
  if (instructions > 2 * maxProgramSize) throw refusal(tooLarge);
  if (ranges > maxRanges || work > maxCompilation) throw refusal('takes no pattern with so many classes of characters');
  pay(work);
  let re2: RE2JS;
  try {
    re2 = RE2JS.compile(pattern);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw refusal(noPattern + reason);
  }
  const size = re2.programSize();
  if (size > maxProgramSize) throw refusal(tooLarge);
  if (size * re2.groupCount() > maxPositions) throw refusal('takes no pattern with that many groups');
  return { re2, size, bytes: bytesOf(re2) };
}

const noPattern = 'takes a regular expression, and this is none: ';
export const tooLongPattern = `takes a pattern of at most ${maxPatternLength} characters`;
const tooLarge = 'takes no pattern that repeats that much';

interface Measured {
  readonly prog: { readonly inst: readonly Instruction[] };
  readonly onepass: { readonly inst: readonly Instruction[] } | null;
}

/** Estimates a compiled pattern's bytes, and drops its copies of ranges where they are too large. */
function bytesOf(compiled: RE2JS): number {
  // Its types are incomplete; a canary test holds that these are there.
  const re2 = compiled.re2() as unknown as Measured;
  const instructions = re2.prog.inst;
  const copies = re2.onepass?.inst ?? [];
  let copied = sizeOf(copies);
  if (copied > maxCopies) {
    // Without them the library uses its general search.
    Reflect.set(re2, 'onepass', null);
    copied = 0;
  }
  return 1000 + instructions.length * bytesPerInstruction + sizeOf(instructions) + copied;
}

/** Bytes of the ranges, each list once. */
function sizeOf(instructions: readonly Instruction[]): number {
  const lists = new Set<Instruction['runes']>();
  let bytes = 0;
  for (const { runes, next } of instructions) {
    if (runes !== null && !lists.has(runes)) bytes += runes.length * 8;
    if (next !== null) bytes += next.length * 4 + 400;
    lists.add(runes);
  }
  return bytes;
}

/**
 * Takes the steps of one match off the run.
 * @param groups that are asked for
 * @returns false when it would be more work than a match may be
 * @throws EngineError as `charge` does
 */
export function chargeMatch(run: RunState, { size }: Pick<Pattern, 'size'>, text: string, groups = 0): boolean {
  const work = text.length * size * (1 + groups / groupsPerUnit);
  if (work > maxWork) return false;
  charge(run, Math.ceil(work / workPerStep));
  return true;
}
