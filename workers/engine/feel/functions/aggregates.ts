import { charge } from '../../zen/budget.js';
import { dividedBy, plus, times } from '../values/arithmetic.js';
import { compare, equal } from '../values/compare.js';
import { compareNumbers, isNumber, simplest, toBig, type FeelNumber } from '../values/number.js';
import { kindOf, type Feel } from '../values/value.js';
import { anything, boolean, type Builtin, type Call, define, list, rest, signature, type Signature } from './define.js';

type Aggregate = (call: Call, items: readonly Feel[]) => Feel;

/** Of the items of one list, or of the arguments. */
const of = (apply: Aggregate): readonly Signature[] => [
  signature([list('list')], (call, items) => {
    charge(call.run.state, items.length);
    return apply(call, items);
  }),
  signature([rest(anything('list'))], (call, items) =>
    items.length < 2 ? call.fail('takes a list') : apply(call, items),
  ),
];

const extreme =
  (sign: 1 | -1): Aggregate =>
  (call, items) => {
    let best: Feel = null;
    for (const [index, item] of items.entries()) {
      const order = index === 0 ? compare(item, item) : compare(item, best);
      if (order === undefined) return call.fail(`takes items that have an order, not a ${kindOf(item)}`);
      if (index === 0 || order * sign > 0) best = item;
    }
    return best;
  };

/** All items by one operation, from the first on. */
const folded =
  (operation: typeof plus, takes: string, accepts: (item: Feel) => boolean): Aggregate =>
  (call, items) => {
    let total: Feel | undefined;
    for (const item of items) {
      if (!accepts(item)) return call.fail(`takes ${takes}, not a ${kindOf(item)}`);
      total = total === undefined ? item : operation(total, item);
      if (total === undefined) return call.fail('has no result for these items');
    }
    return total ?? null;
  };

const summable = (item: Feel): boolean =>
  isNumber(item) || ['days and time duration', 'years and months duration'].includes(kindOf(item));

const sum = folded(plus, 'numbers or durations', summable);
const onlyNumbers = (items: readonly Feel[]): boolean => items.every(isNumber);

const mean: Aggregate = (call, items) => {
  const total = sum(call, items);
  return total === null ? null : (dividedBy(total, items.length) ?? call.fail('has no result'));
};

const byNumber = (items: readonly Feel[]): FeelNumber[] => items.filter(isNumber).sort(compareNumbers);

const median: Aggregate = (call, items) => {
  if (!onlyNumbers(items)) return call.fail('takes numbers');
  const ordered = byNumber(items);
  const middle = ordered.length >>> 1;
  const [high, low] = [ordered[middle], ordered[middle - 1]];
  if (high === undefined || low === undefined || ordered.length % 2 === 1) return high ?? null;
  return simplest(toBig(low).plus(high).div(2)) ?? null;
};

const stddev: Aggregate = (call, items) => {
  if (!onlyNumbers(items)) return call.fail('takes numbers');
  if (items.length < 2) return call.fail('takes at least two numbers');
  const values = items.filter(isNumber).map(toBig);
  const average = values.reduce((total, each) => total.plus(each)).div(values.length);
  const squares = values.map((each) => each.minus(average)).map((each) => each.times(each));
  return (
    simplest(
      squares
        .reduce((total, each) => total.plus(each))
        .div(values.length - 1)
        .sqrt(),
    ) ?? null
  );
};

const mode: Aggregate = (call, items) => {
  if (!onlyNumbers(items)) return call.fail('takes numbers');
  const counts: { value: Feel; count: number }[] = [];
  for (const item of byNumber(items)) {
    const last = counts.at(-1);
    if (last !== undefined && equal(last.value, item, call.run) === true) last.count++;
    else counts.push({ value: item, count: 1 });
  }
  const most = counts.reduce((best, { count }) => Math.max(best, count), 0);
  return counts.filter(({ count }) => count === most).map(({ value }) => value);
};

/** `all` and `any`: the decisive value decides; else all must be the other one. */
const logical =
  (decisive: boolean): Aggregate =>
  (call, items) => {
    let result: Feel = !decisive;
    for (const item of items) {
      if (item === decisive) return decisive;
      if (typeof item !== 'boolean') result = null;
    }
    if (result === null && items.some((item) => item !== null && typeof item !== 'boolean'))
      return call.fail('takes booleans');
    return result;
  };

export const aggregateFunctions: readonly Builtin[] = [
  define('min', 'a value', 'The least item.', 'min([1, 2, 3])', of(extreme(-1))),
  define('max', 'a value', 'The greatest item.', 'max(1, 2, 3)', of(extreme(1))),
  define('sum', 'a number or duration', 'The sum of the items.', 'sum([1, 2, 3])', of(sum)),
  define('mean', 'a number or duration', 'The average of the items.', 'mean([1, 2, 3])', of(mean)),
  define(
    'product',
    'a number',
    'The product of the items.',
    'product([2, 3, 4])',
    of(folded(times, 'numbers', isNumber)),
  ),
  define(
    'median',
    'a number',
    'The number in the middle, or the mean of the two.',
    'median(8, 2, 5, 3, 4)',
    of(median),
  ),
  define('stddev', 'a number', 'The standard deviation of a sample.', 'stddev(2, 4, 7, 5)', of(stddev)),
  define('mode', 'a list of numbers', 'The numbers that come most often, in order.', 'mode(6, 3, 9, 6, 6)', of(mode)),
  define('all', 'a boolean', 'Whether all items are true.', 'all([false, null, true])', of(logical(false))),
  define('any', 'a boolean', 'Whether some item is true.', 'any([false, null, true])', of(logical(true))),
  define('not', 'a boolean', 'The opposite.', 'not(true)', [signature([boolean('negand')], (_, negand) => !negand)]),
];
