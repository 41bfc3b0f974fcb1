import { charge, chargeMade } from '../../zen/budget.js';
import { compare, equal } from '../values/compare.js';
import { truncated, type FeelNumber } from '../values/number.js';
import { checkedLength } from '../values/text.js';
import { isList, type Feel, type FeelFunction } from '../values/value.js';
import { invoke } from '../compile/calls.js';
import {
  anything,
  type Builtin,
  type Call,
  define,
  functionOf,
  list,
  number,
  optional,
  rest,
  signature,
  type Signature,
} from './define.js';

/** A list that a function makes. */
function made(call: Call, items: readonly Feel[]): readonly Feel[] {
  checkedLength(items.length, call.run);
  chargeMade(call.run.state, items.length);
  return items;
}

/** The index of a position, which begins at 1, or at -1 from the end; undefined outside of the list. */
function indexOf(position: FeelNumber, length: number): number | undefined {
  const whole = truncated(position);
  if (whole === undefined || whole === 0) return undefined;
  const index = whole > 0 ? whole - 1 : length + whole;
  return index >= 0 && index < length ? index : undefined;
}

/** Whether a list has an item equal to a value. */
function has(call: Call, items: readonly Feel[], value: Feel): boolean {
  charge(call.run.state, items.length);
  return items.some((item) => equal(item, value, call.run) === true);
}

/** Each value once, in the order of their first. Equal numbers and texts are found by their text. */
function distinct(call: Call, items: readonly Feel[]): readonly Feel[] {
  const seen = new Set<Feel>();
  const others: Feel[] = [];
  const kept = items.filter((item) => {
    if (typeof item !== 'object' || item === null) {
      if (seen.has(item)) return false;
      seen.add(item);
      return true;
    }
    if (has(call, others, item)) return false;
    others.push(item);
    return true;
  });
  return made(call, kept);
}

function flat(call: Call, items: readonly Feel[], into: Feel[] = []): Feel[] {
  charge(call.run.state, items.length);
  for (const item of items) {
    if (isList(item)) flat(call, item, into);
    else into.push(item);
    checkedLength(into.length, call.run);
  }
  return into;
}

function replaced(call: Call, items: readonly Feel[], match: FeelFunction, value: Feel): readonly Feel[] | null {
  const results: Feel[] = [];
  for (const item of items) {
    charge(call.run.state, 1);
    const holds = invoke(match, [item, value], call.run, call.site);
    if (typeof holds !== 'boolean') return call.fail('takes a `match` that gives a boolean');
    results.push(holds ? value : item);
  }
  return made(call, results);
}

/** A list with so many items at a position replaced by others. */
function spliced(
  call: Call,
  items: readonly Feel[],
  position: FeelNumber,
  removed: 0 | 1,
  added: readonly Feel[],
): Feel {
  const index = indexOf(position, items.length);
  return index === undefined
    ? call.fail('takes a position within the list')
    : made(call, items.toSpliced(index, removed, ...added));
}

const reader = (apply: (call: Call, items: readonly Feel[]) => Feel): Signature => signature([list('list')], apply);

export const listFunctions: readonly Builtin[] = [
  define('list contains', 'a boolean', 'Whether a list has an item.', 'list contains([1, 2, 3], 2)', [
    signature([list('list'), anything('element')], has),
  ]),
  define('count', 'a number', 'How many items a list has.', 'count([1, 2, 3])', [reader((_, items) => items.length)]),
  define(
    'sublist',
    'a list',
    'A part of a list; positions begin at 1, negative ones count from the end.',
    'sublist([4, 5, 6], 1, 2)',
    [
      signature([list('list'), number('start position'), optional(number('length'))], (call, items, from, length) => {
        const start = indexOf(from, items.length);
        const count = length === undefined ? undefined : truncated(length);
        if (start === undefined) return call.fail('takes a position within the list');
        if (length !== undefined && (count === undefined || count < 1 || start + count > items.length)) {
          return call.fail('takes a `length` of items that the list has');
        }
        return made(call, items.slice(start, count === undefined ? undefined : start + count));
      }),
    ],
  ),
  define('append', 'a list', 'A list with more items at its end.', 'append([1], 2, 3)', [
    signature([list('list'), rest(anything('item'))], (call, items, more) => made(call, [...items, ...more])),
  ]),
  define('concatenate', 'a list', 'Lists one after the other.', 'concatenate([1, 2], [3])', [
    signature([rest(list('list'))], (call, lists) => joined(call, lists)),
  ]),
  define('union', 'a list', 'Lists one after the other, each value once.', 'union([1, 2], [2, 3])', [
    signature([rest(list('list'))], (call, lists) => distinct(call, joined(call, lists))),
  ]),
  define('insert before', 'a list', 'A list with a new item before a position.', 'insert before([1, 3], 1, 2)', [
    signature([list('list'), number('position'), anything('newItem')], (call, items, position, item) =>
      spliced(call, items, position, 0, [item]),
    ),
  ]),
  define('remove', 'a list', 'A list without the item at a position.', 'remove([1, 2, 3], 2)', [
    signature([list('list'), number('position')], (call, items, position) => spliced(call, items, position, 1, [])),
  ]),
  define(
    'list replace',
    'a list',
    'A list with a new item in place of the one at a position, or of those that a function finds.',
    'list replace([2, 4, 7, 8], 3, 6)',
    [
      signature([list('list'), number('position'), anything('newItem')], (call, items, position, item) =>
        spliced(call, items, position, 1, [item]),
      ),
      signature([list('list'), functionOf('match'), anything('newItem')], replaced),
    ],
  ),
  define('reverse', 'a list', 'The items from the last to the first.', 'reverse([1, 2, 3])', [
    reader((call, items) => made(call, items.toReversed())),
  ]),
  define(
    'index of',
    'a list of numbers',
    'The positions of the items that are equal to a value.',
    'index of([1, 2, 3, 2], 2)',
    [
      signature([list('list'), anything('match')], (call, items, match) => {
        charge(call.run.state, items.length);
        return made(
          call,
          items.flatMap((item, index) => (equal(item, match, call.run) === true ? [index + 1] : [])),
        );
      }),
    ],
  ),
  define('distinct values', 'a list', 'Each value once.', 'distinct values([1, 2, 3, 2, 1])', [reader(distinct)]),
  define('flatten', 'a list', 'The items of all lists within lists.', 'flatten([[1, 2], [[3]], 4])', [
    reader((call, items) => made(call, flat(call, items))),
  ]),
  define(
    'sort',
    'a list',
    'The items in an order: the function says whether one comes before another.',
    'sort([3, 1, 2], function(x, y) x < y)',
    [
      signature([list('list'), functionOf('precedes')], (call, items, precedes) => {
        if (precedes.parameters !== undefined && precedes.parameters.length !== 2)
          return call.fail('takes a function of two parameters');
        const order = sorted(items, (a, b) => {
          charge(call.run.state, 1);
          return invoke(precedes, [a, b], call.run, call.site);
        });
        return order === undefined ? call.fail('takes a function that gives a boolean') : made(call, order);
      }),
      reader(sortedBySelf),
    ],
  ),
];

const joined = (call: Call, lists: readonly (readonly Feel[])[]): readonly Feel[] => {
  checkedLength(
    lists.reduce((length, each) => length + each.length, 0),
    call.run,
  );
  return made(call, lists.flat());
};

function sortedBySelf(call: Call, items: readonly Feel[]): readonly Feel[] | null {
  const order = sorted(items, (a, b) => {
    charge(call.run.state, 1);
    const compared = compare(a, b);
    return compared === undefined ? null : compared < 0;
  });
  return order === undefined ? call.fail('takes items that have an order') : made(call, order);
}

/**
 * The platform's sort asks for the order of at most n·log n pairs whatever the answers are: an order that contradicts itself
 * gives some order of the same items.
 * @returns undefined where `precedes` gave no boolean
 */
function sorted(items: readonly Feel[], precedes: (a: Feel, b: Feel) => Feel): readonly Feel[] | undefined {
  const answers = { areBooleans: true };
  const isBefore = (a: Feel, b: Feel): boolean => {
    const holds = answers.areBooleans && precedes(a, b);
    answers.areBooleans = typeof holds === 'boolean' && answers.areBooleans;
    return holds === true;
  };
  const order = items.toSorted((a, b) => (isBefore(a, b) ? -1 : isBefore(b, a) ? 1 : 0));
  return answers.areBooleans ? order : undefined;
}
