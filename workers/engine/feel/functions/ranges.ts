import { compare } from '../values/compare.js';
import { numberFrom } from '../values/number.js';
import { temporalFrom } from '../values/read.js';
import { FeelRange, kindOf, type Feel } from '../values/value.js';
import { stringOf } from '../compile/literals.js';
import { anything, type Builtin, type Call, define, type Parameter, range, signature, string } from './define.js';

/** A single value as the range of it alone. */
const asRange = (value: Feel): FeelRange =>
  value instanceof FeelRange ? value : new FeelRange(value, value, true, true);

/**
 * Compares the ends of two ranges: negative where the first lies before the second. A bound that is none is beyond all
 * others; at the same value, an end that is included reaches further out.
 */
interface End {
  readonly value: Feel;
  readonly included: boolean;
  readonly isLow: boolean;
}

const low = ({ low: value, lowIncluded: included }: FeelRange): End => ({ value, included, isLow: true });
const high = ({ high: value, highIncluded: included }: FeelRange): End => ({ value, included, isLow: false });

const outward = ({ included, isLow }: End): number => (included ? 0 : isLow ? 1 : -1);

function compareEnds(a: End, b: End): number | undefined {
  if (a.value === null || b.value === null) {
    const side = (end: End): number => (end.value === null ? (end.isLow ? -1 : 1) : 0);
    return side(a) - side(b);
  }
  const order = compare(a.value, b.value);
  return order === undefined ? undefined : order !== 0 ? order : outward(a) - outward(b);
}

type Relation = (a: FeelRange, b: FeelRange, order: (a: End, b: End) => number) => boolean;

class Incomparable extends Error {}

function related(call: Call, a: Feel, b: Feel, relation: Relation): Feel {
  const order = (one: End, other: End): number => {
    const compared = compareEnds(one, other);
    if (compared === undefined) throw new Incomparable();
    return compared;
  };
  try {
    return relation(asRange(a), asRange(b), order);
  } catch (error) {
    if (!(error instanceof Incomparable)) throw error;
    return call.fail(`takes values that have an order, not ${kindOf(a)} and ${kindOf(b)}`);
  }
}

const isBefore: Relation = (a, b, order) => order(high(a), low(b)) < 0;
const meets: Relation = (a, b, order) =>
  a.highIncluded && b.lowIncluded && a.high !== null && b.low !== null && order(high(a), low(b)) === 0;
const overlaps: Relation = (a, b, order) => order(high(a), low(b)) >= 0 && order(high(b), low(a)) >= 0;
const finishes: Relation = (a, b, order) => order(high(a), high(b)) === 0 && order(low(a), low(b)) >= 0;
const includes: Relation = (a, b, order) => order(low(a), low(b)) <= 0 && order(high(a), high(b)) >= 0;
const starts: Relation = (a, b, order) => order(low(a), low(b)) === 0 && order(high(a), high(b)) <= 0;
const swapped =
  (relation: Relation): Relation =>
  (a, b, order) =>
    relation(b, a, order);

const isPoint = (value: Feel): boolean => !(value instanceof FeelRange) && value !== null;
const pointOf = (name: string): Parameter<Feel> => ({
  ...anything(name),
  takes: 'a value that has an order',
  read: (value) => (isPoint(value) ? value : undefined),
});

const relation = (
  name: string,
  summary: string,
  holds: Relation,
  takes: { readonly points?: 'first' | 'second' | 'both' } = {},
): Builtin => {
  const apply = (call: Call, a: Feel, b: Feel): Feel => related(call, a, b, holds);
  const { points } = takes;
  return {
    name,
    gives: 'a boolean',
    summary,
    example: `${name}([1..5], [5..10])`,
    signatures: [
      signature([range('range1'), range('range2')], apply),
      ...(points === 'first' || points === 'both' ? [signature([pointOf('point'), range('range')], apply)] : []),
      ...(points === 'second' || points === 'both' ? [signature([range('range'), pointOf('point')], apply)] : []),
      ...(points === 'both' || name === 'coincides' ? [signature([pointOf('point1'), pointOf('point2')], apply)] : []),
    ],
  };
};

export const rangeFunctions: readonly Builtin[] = [
  relation('before', 'Whether all of the first lies before all of the second.', isBefore, { points: 'both' }),
  relation('after', 'Whether all of the first lies after all of the second.', swapped(isBefore), { points: 'both' }),
  relation('meets', 'Whether the first ends where the second begins.', meets),
  relation('met by', 'Whether the first begins where the second ends.', swapped(meets)),
  relation('overlaps', 'Whether some value is in both.', overlaps),
  relation(
    'overlaps before',
    'Whether the first begins earlier, and ends in the second.',
    (a, b, order) => order(low(a), low(b)) < 0 && order(high(a), low(b)) >= 0 && order(high(a), high(b)) <= 0,
  ),
  relation(
    'overlaps after',
    'Whether the first begins in the second, and ends later.',
    (a, b, order) => order(low(b), low(a)) < 0 && order(high(b), low(a)) >= 0 && order(high(b), high(a)) <= 0,
  ),
  relation('finishes', 'Whether the first is the end of the second.', finishes, { points: 'first' }),
  relation('finished by', 'Whether the second is the end of the first.', swapped(finishes), { points: 'second' }),
  relation('includes', 'Whether all of the second is in the first.', includes, { points: 'second' }),
  relation('during', 'Whether all of the first is in the second.', swapped(includes), { points: 'first' }),
  relation('starts', 'Whether the first is the beginning of the second.', starts, { points: 'first' }),
  relation('started by', 'Whether the second is the beginning of the first.', swapped(starts), { points: 'second' }),
  relation(
    'coincides',
    'Whether the two are the same.',
    (a, b, order) => order(low(a), low(b)) === 0 && order(high(a), high(b)) === 0,
  ),
  define('range', 'a range', 'The range that a text names.', 'range("[18..21)")', [
    signature([string('from')], (call, from) => rangeFrom(from) ?? call.fail('takes a text like "[18..21)"')),
  ]),
];

const notation = /^\s*([[\](])\s*(.*?)\s*\.\.\s*(.*?)\s*([\])[])\s*$/s;

/** A literal: the bounds of a range in a text are no expressions. */
function literalFrom(text: string): Feel | undefined {
  if (text === '') return null;
  if (text.startsWith('@"') && text.endsWith('"')) return temporalFrom(stringOf(text.slice(1)));
  if (text.length > 1 && text.startsWith('"') && text.endsWith('"')) return stringOf(text);
  return numberFrom(text) ?? calledFrom(text);
}

const called = /^(date|time|duration|date and time)\s*\(\s*("[^"]*")\s*\)$/;

function calledFrom(text: string): Feel | undefined {
  const literal = called.exec(text)?.[2];
  return literal === undefined ? undefined : temporalFrom(stringOf(literal));
}

function rangeFrom(text: string): FeelRange | undefined {
  const [, open, first = '', last = '', close] = notation.exec(text) ?? [];
  const [from, to] = [literalFrom(first), literalFrom(last)];
  if (open === undefined || from === undefined || to === undefined || (from === null && to === null)) return undefined;
  if (from !== null && to !== null && (compare(from, to) ?? 1) > 0) return undefined;
  const [lowIncluded, highIncluded] = [open === '[', close === ']'];
  if ((from === null && lowIncluded) || (to === null && highIncluded)) return undefined;
  return new FeelRange(from, to, lowIncluded, highIncluded);
}
