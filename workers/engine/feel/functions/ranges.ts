import { compare } from '../values/compare.js';
import { numberFrom } from '../values/number.js';
import { temporalFrom } from '../values/read.js';
import { FeelRange, kindOf, type Feel } from '../values/value.js';
import { stringOf } from '../compile/literals.js';
import { anything, type Builtin, type Call, define, type Parameter, range, signature, string } from './define.js';

/** A single value as the range of it alone. */
const asRange = (value: Feel): FeelRange =>
  value instanceof FeelRange ? value : new FeelRange(value, value, true, true);

interface End {
  readonly value: Feel;
  readonly included: boolean;
  readonly isLow: boolean;
}

const low = ({ low: value, lowIncluded: included }: FeelRange): End => ({ value, included, isLow: true });
const high = ({ high: value, highIncluded: included }: FeelRange): End => ({ value, included, isLow: false });

const outward = ({ included, isLow }: End): number => (included ? 0 : isLow ? 1 : -1);

/**
 * The order of two ends of ranges: negative where the first lies before the second. A bound that is none is beyond all
 * others; at the same value, an end that is included reaches further out.
 */
function order(a: End, b: End): number {
  const side = (end: End): number => (end.value === null ? (end.isLow ? -1 : 1) : 0);
  if (a.value === null || b.value === null) return side(a) - side(b);
  const compared = compare(a.value, b.value) ?? 0;
  return compared === 0 ? outward(a) - outward(b) : compared;
}

type Relation = (a: FeelRange, b: FeelRange) => boolean;

function related(call: Call, a: Feel, b: Feel, relation: Relation): Feel {
  const [one, other] = [asRange(a), asRange(b)];
  const [first = null, ...others] = [one.low, one.high, other.low, other.high].filter((bound) => bound !== null);
  return others.every((bound) => compare(first, bound) !== undefined)
    ? relation(one, other)
    : call.fail(`takes values that have an order, not ${kindOf(a)} and ${kindOf(b)}`);
}

const isBefore: Relation = (a, b) => order(high(a), low(b)) < 0;
const meets: Relation = (a, b) =>
  a.highIncluded && b.lowIncluded && a.high !== null && b.low !== null && order(high(a), low(b)) === 0;
const overlaps: Relation = (a, b) => order(high(a), low(b)) >= 0 && order(high(b), low(a)) >= 0;
const finishes: Relation = (a, b) => order(high(a), high(b)) === 0 && order(low(a), low(b)) >= 0;
const includes: Relation = (a, b) => order(low(a), low(b)) <= 0 && order(high(a), high(b)) >= 0;
const starts: Relation = (a, b) => order(low(a), low(b)) === 0 && order(high(a), high(b)) <= 0;
const swapped =
  (relation: Relation): Relation =>
  (a, b) =>
    relation(b, a);

const isPoint = (value: Feel): boolean => !(value instanceof FeelRange) && value !== null;
const pointOf = (name: string): Parameter<Feel> => ({
  ...anything(name),
  takes: 'a value that has an order',
  read: (value) => (isPoint(value) ? value : undefined),
});

/** What a relation takes: ranges always. */
const forms = {
  ranges: [range('range1'), range('range2')],
  first: [pointOf('point'), range('range')],
  second: [range('range'), pointOf('point')],
  both: [pointOf('point1'), pointOf('point2')],
} as const;

const relation = (
  name: string,
  summary: string,
  holds: Relation,
  ...points: readonly (keyof typeof forms)[]
): Builtin =>
  define(
    name,
    'a boolean',
    summary,
    `${name}([1..5], [5..10])`,
    (['ranges', ...points] as const).map((form) => signature(forms[form], (call, a, b) => related(call, a, b, holds))),
  );

export const rangeFunctions: readonly Builtin[] = [
  relation('before', 'Whether all of the first lies before all of the second.', isBefore, 'first', 'second', 'both'),
  relation(
    'after',
    'Whether all of the first lies after all of the second.',
    swapped(isBefore),
    'first',
    'second',
    'both',
  ),
  relation('meets', 'Whether the first ends where the second begins.', meets),
  relation('met by', 'Whether the first begins where the second ends.', swapped(meets)),
  relation('overlaps', 'Whether some value is in both.', overlaps),
  relation(
    'overlaps before',
    'Whether the first begins earlier, and ends in the second.',
    (a, b) => order(low(a), low(b)) < 0 && order(high(a), low(b)) >= 0 && order(high(a), high(b)) <= 0,
  ),
  relation(
    'overlaps after',
    'Whether the first begins in the second, and ends later.',
    (a, b) => order(low(b), low(a)) < 0 && order(high(b), low(a)) >= 0 && order(high(b), high(a)) <= 0,
  ),
  relation('finishes', 'Whether the first is the end of the second.', finishes, 'first'),
  relation('finished by', 'Whether the second is the end of the first.', swapped(finishes), 'second'),
  relation('includes', 'Whether all of the second is in the first.', includes, 'second'),
  relation('during', 'Whether all of the first is in the second.', swapped(includes), 'first'),
  relation('starts', 'Whether the first is the beginning of the second.', starts, 'first'),
  relation('started by', 'Whether the second is the beginning of the first.', swapped(starts), 'second'),
  relation(
    'coincides',
    'Whether the two are the same.',
    (a, b) => order(low(a), low(b)) === 0 && order(high(a), high(b)) === 0,
    'both',
  ),
  define('range', 'a range', 'The range that a text names.', 'range("[18..21)")', [
    signature([string('from')], (call, from) => rangeFrom(from) ?? call.fail('takes a text like "[18..21)"')),
  ]),
];

/** A literal: the bounds of a range in a text are no expressions. */
function literalFrom(text: string): Feel | undefined {
  if (text === '') return null;
  const temporal = temporalLiteral.exec(text)?.[1];
  if (temporal !== undefined) return temporalFrom(stringOf(temporal));
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? stringOf(text) : numberFrom(text);
}

const temporalLiteral = /^(?:@|(?:date|time|duration|date and time)\s*\(\s*)("[^"]*")(?:\s*\))?$/;

/** Read without a pattern, which would take time in proportion to the cube of a long text of blanks. */
function rangeFrom(given: string): FeelRange | undefined {
  const text = given.trim();
  const [open = '', close = '', middle] = [text[0], text.at(-1), text.indexOf('..')];
  if (!'[]('.includes(open) || !'])['.includes(close) || middle < 1 || middle > text.length - 3) return undefined;
  const [from, to] = [text.slice(1, middle), text.slice(middle + 2, -1)].map((bound) => literalFrom(bound.trim()));
  if (from === undefined || to === undefined || (from === null && to === null)) return undefined;
  if (from !== null && to !== null && (compare(from, to) ?? 1) > 0) return undefined;
  const [lowIncluded, highIncluded] = [open === '[', close === ']'];
  if ((from === null && lowIncluded) || (to === null && highIncluded)) return undefined;
  return new FeelRange(from, to, lowIncluded, highIncluded);
}
