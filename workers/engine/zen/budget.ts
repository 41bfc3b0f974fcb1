import { EngineError } from '../errors.js';
import { defaultLimits } from '../limits.js';
import type { RunState, Scope, Value, ValueObject } from '../values.js';
import { shallowCopy } from './values/objects.js';

/** The clock is read once per this many steps, because reading it costs more than a step. A power of two. */
const stepsPerClockRead = 1024;

/**
 * Takes `count` steps off the run.
 * @throws EngineError `limit_steps` when none are left, `timeout` when the deadline has passed.
 */
export function charge(run: RunState, count: number): void {
  const before = run.steps;
  const left = before - count;
  run.steps = left;
  if (left < 0) throw new EngineError('limit_steps', 'the run took more steps than it may');
  if (((before ^ left) & -stepsPerClockRead) !== 0 && performance.now() > run.deadline) {
    throw new EngineError('timeout', 'the run took longer than it may');
  }
}

/** The run of an expression by itself, for which no time passes and nothing is random. */
export const runAlone = (steps: number, deadline = Infinity): RunState => ({
  limits: defaultLimits,
  steps,
  deadline,
  now: () => 0,
  random: () => 0,
});

/** What an expression by itself sees. */
export const scopeAlone = (data: Value, run: RunState): Scope => ({ data, reference: null, nodes: null, env: {}, run });

const unitsPerStep = 64;

/**
 * Takes the steps of a walk through a text, so that a loop over long ones meets the deadline; a short one is free.
 * @throws EngineError as `charge` does
 */
export function chargeText(run: RunState, text: string): void {
  if (text.length > unitsPerStep) charge(run, Math.ceil(text.length / unitsPerStep));
}

/**
 * Counts items of a list or object that the run makes, since a loop over lists fills the heap faster than steps run out.
 * @throws EngineError `limit_memory` when the run has made too many.
 */
export function chargeItems(run: RunState, count: number): void {
  const made = (run.made ?? 0) + count;
  run.made = made;
  if (made > run.limits.madeItems) {
    throw new EngineError('limit_memory', `the run made more than ${run.limits.madeItems} items of lists and objects`);
  }
}

/**
 * A list or an object is made in one go: as many steps as it has items, and its items.
 * @throws EngineError as `charge` and `chargeItems` do
 */
export function chargeMade(run: RunState, count: number): void {
  charge(run, count);
  chargeItems(run, count);
}

/**
 * A shallow copy, which the run pays for: a fact may have a hundred thousand keys, and a loop may copy it in each round.
 * @throws EngineError as `chargeMade` does
 */
export function copyOf(run: RunState, object: ValueObject): ValueObject {
  const copy = shallowCopy(object);
  let count = 0;
  // Quicker than `Object.keys`, and the same: prototypes of values have nothing to enumerate.
  for (const _key in copy) count++;
  chargeMade(run, count);
  return copy;
}
