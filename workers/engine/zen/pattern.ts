import { RE2JS } from 're2js';
import type { EngineError } from '../errors.js';
import type { RunState } from '../values.js';
import { charge } from './budget.js';

const maxPatternLength = 2000;
/** Instructions of a compiled pattern; `a{1000}` is a thousand. */
const maxProgramSize = 5000;
/** Matching takes at most text times program; about two seconds' worth. */
const maxWork = 50_000_000;
const workPerStep = 500;

/**
 * A pattern that matches in linear time (RE2), since patterns and texts come from strangers.
 * @param pattern as its author wrote it
 * @param refusal the error of a pattern that is not allowed, from a message such as `takes a pattern of …`
 * @param rewrite makes of the pattern what is compiled
 * @throws what `refusal` gives
 */
export function compilePattern(
  pattern: string,
  refusal: (message: string) => EngineError,
  rewrite: (pattern: string) => string = (same) => same,
): RE2JS {
  if (pattern.length > maxPatternLength) throw refusal(`takes a pattern of at most ${maxPatternLength} characters`);
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(rewrite(pattern));
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    throw refusal(`takes a regular expression, and this is none: ${reason}`);
  }
  if (compiled.programSize() > maxProgramSize) throw refusal('takes no pattern that repeats that much');
  return compiled;
}

/**
 * Takes the steps of one match off the run.
 * @returns false when it would be more work than a match may be
 * @throws EngineError as `charge` does
 */
export function chargeMatch(run: RunState, pattern: RE2JS, text: string): boolean {
  const work = text.length * pattern.programSize();
  if (work > maxWork) return false;
  charge(run, Math.ceil(work / workPerStep));
  return true;
}
