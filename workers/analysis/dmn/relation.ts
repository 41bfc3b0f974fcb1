import { tried } from '../../engine/errors.js';
import { bare, Frame, Run, type Feel, type FeelType, type Scope, type Test } from '../../engine/feel/index.js';
import { DaysDuration, FeelDate, MonthsDuration } from '../../engine/feel/values/temporal.js';
import type { Value } from '../../engine/values.js';
import { compareNumbers, isNumeric } from '../../engine/zen/values/numbers.js';
import { newRun } from '../evaluate.js';
import type { Predicate } from '../predicate.js';
import type { ReadField } from './fields.js';

/** Three values of a kind in their order. Of times and moments, equal ones may still come one after the other. */
const samples: Partial<Record<FeelType['kind'], readonly [Feel, Feel, Feel]>> = {
  number: [1, 2, 3],
  string: ['a', 'b', 'c'],
  boolean: [false, true, false],
  date: [new FeelDate(2024, 1, 1), new FeelDate(2024, 1, 2), new FeelDate(2024, 1, 3)],
  'days and time duration': [new DaysDuration(1n), new DaysDuration(2n), new DaysDuration(3n)],
  'years and months duration': [new MonthsDuration(1), new MonthsDuration(2), new MonthsDuration(3)],
};

/**
 * A column whose cells compare its value with one field of the same kind, and with nothing else: all that they tell apart is
 * which of the two is greater. It stands as a number below, at or above 0; null, a list and an object stand for what cannot
 * be compared, because the one, the other or both are null.
 */
export interface Relation {
  readonly field: ReadField;
  readonly samples: readonly [Feel, Feel, Feel];
}

/** @param fields those that each cell compares with */
export function relationOf(
  fields: readonly (readonly ReadField[] | undefined)[],
  type: FeelType,
): Relation | undefined {
  const { kind } = bare(type);
  const own = samples[kind];
  const all = fields.flatMap((each) => each ?? []);
  const [field] = all;
  if (own === undefined || field === undefined || bare(field.type).kind !== kind) return undefined;
  const isOne =
    fields.every((each) => each !== undefined) && all.every(({ path }) => path.join() === field.path.join());
  return isOne ? { field, samples: own } : undefined;
}

/** A cell of such a column. */
export function relationTest(test: Test, { field, samples: [low, middle, high] }: Relation, scope: Scope): Predicate {
  const pairOf = (term: Value): readonly [value: Feel, other: Feel] => {
    if (isNumeric(term)) {
      const side = compareNumbers(term, 0);
      return [side < 0 ? low : side > 0 ? high : middle, middle];
    }
    if (term === null) return [null, middle];
    return Array.isArray(term) ? [middle, null] : [null, null];
  };
  return {
    path: null,
    constants: [0],
    holds: (term) => {
      const [value, other] = pairOf(term);
      return tried(() => test(value, frameWith(field.path, other, scope, new Run(newRun())))) === true;
    },
  };
}

/** A frame of a table's scope in which a field has a value. */
export function frameWith([name = '', ...members]: readonly string[], value: Feel, scope: Scope, run: Run): Frame {
  const frame = frameOf(scope, run);
  const { slot } = scope.resolve(name);
  if (slot !== undefined)
    frame.up(slot.levels).values[slot.index] = members.reduceRight<Feel>(
      (inner, key) => new Map([[key, inner]]),
      value,
    );
  return frame;
}

const frameOf = ({ parent }: Scope, run: Run): Frame =>
  new Frame(run, parent === null ? null : frameOf(parent, run), []);
