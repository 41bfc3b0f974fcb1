import { charge, chargeText } from '../../zen/budget.js';
import type { Run, Site } from '../feelRun.js';
import { compareNumbers, isNumber, sameNumber } from './number.js';
import { DaysDuration, FeelDate, FeelDateTime, FeelTime, MonthsDuration } from './temporal.js';
import { FeelRange, isContext, isList, kindOf, type Feel, type FeelContext } from './value.js';

const order = (a: bigint, b: bigint): number => (a < b ? -1 : a > b ? 1 : 0);

/** By units of Unicode as code points: a character beyond the basic plane comes after all of it. */
function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  const shorter = Math.min(a.length, b.length);
  let index = 0;
  while (index < shorter && a.charCodeAt(index) === b.charCodeAt(index)) index++;
  if (index === shorter) return a.length - b.length;
  const [left, right] = [a.charCodeAt(index), b.charCodeAt(index)];
  const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;
  if (isSurrogate(left) !== isSurrogate(right)) return isSurrogate(left) ? 1 : -1;
  return left - right;
}

const wholeSecond = ({ seconds, zone }: FeelTime): FeelTime => new FeelTime(seconds, 0, zone);

/** Negative, zero or positive; undefined where the two have no order. */
export function compare(a: Feel, b: Feel): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string') return typeof b === 'string' ? compareTexts(a, b) : undefined;
  if (isNumber(a)) return isNumber(b) ? compareNumbers(a, b) : undefined;
  if (a instanceof FeelDate && b instanceof FeelDate) return a.days - b.days;
  if (a instanceof FeelDateTime && b instanceof FeelDateTime) {
    return (a.time.zone === undefined) === (b.time.zone === undefined) ? order(a.instant, b.instant) : undefined;
  }
  if (a instanceof FeelTime && b instanceof FeelTime) {
    return (a.zone === undefined) === (b.zone === undefined) ? order(a.onEpoch.instant, b.onEpoch.instant) : undefined;
  }
  if (a instanceof DaysDuration && b instanceof DaysDuration) return order(a.nanos, b.nanos);
  if (a instanceof MonthsDuration && b instanceof MonthsDuration) return a.months - b.months;
  return undefined;
}

/** `a = b`; undefined where the two are of kinds that cannot be compared. */
export function equal(a: Feel, b: Feel, run: Run): boolean | undefined {
  if (a === null || b === null) return a === b;
  if (typeof a === 'string' && typeof b === 'string') {
    chargeText(run.state, a);
    return a === b;
  }
  if (typeof a === 'boolean' && typeof b === 'boolean') return a === b;
  if (isNumber(a)) return isNumber(b) ? sameNumber(a, b) : undefined;
  if (isList(a)) return isList(b) ? sameLists(a, b, run) : undefined;
  if (isContext(a)) return isContext(b) ? sameContexts(a, b, run) : undefined;
  if (a instanceof FeelRange) return b instanceof FeelRange ? sameRanges(a, b, run) : undefined;
  if (kindOf(a) !== kindOf(b)) return undefined;
  if (kindOf(a) === 'function') return a === b;
  // The standard compares times by their whole seconds.
  if (a instanceof FeelTime && b instanceof FeelTime) return compare(wholeSecond(a), wholeSecond(b)) === 0;
  return compare(a, b) === 0;
}

function sameLists(a: readonly Feel[], b: readonly Feel[], run: Run): boolean {
  if (a.length !== b.length) return false;
  charge(run.state, a.length);
  return a.every((item, index) => equal(item, b[index] ?? null, run) === true);
}

function sameContexts(a: FeelContext, b: FeelContext, run: Run): boolean {
  if (a.size !== b.size) return false;
  charge(run.state, a.size);
  for (const [name, value] of a) {
    const other = b.get(name);
    if (other === undefined || equal(value, other, run) !== true) return false;
  }
  return true;
}

/** A bound may be a test of another range (`(= (= 1))`), as an item may be a list. */
function sameRanges(a: FeelRange, b: FeelRange, run: Run): boolean {
  charge(run.state, 1);
  return (
    a.isTest === b.isTest &&
    a.lowIncluded === b.lowIncluded &&
    a.highIncluded === b.highIncluded &&
    equal(a.low, b.low, run) === true &&
    equal(a.high, b.high, run) === true
  );
}

/** Whether a range holds a value; undefined where its bounds cannot be compared with it. */
export function inRange(value: Feel, { low, high, lowIncluded, highIncluded }: FeelRange): boolean | undefined {
  let isIn = true;
  if (low !== null) {
    const compared = compare(value, low);
    if (compared === undefined) return undefined;
    isIn = compared > 0 || (compared === 0 && lowIncluded);
  }
  if (high !== null) {
    const compared = compare(value, high);
    if (compared === undefined) return undefined;
    isIn &&= compared < 0 || (compared === 0 && highIncluded);
  }
  return isIn;
}

/** Whether an order (negative, zero, positive) is the one that an operator asks for. */
const orders: ReadonlyMap<string, (order: number) => boolean> = new Map(
  Object.entries({
    '<': (order) => order < 0,
    '<=': (order) => order <= 0,
    '>': (order) => order > 0,
    '>=': (order) => order >= 0,
  }),
);

type Comparison = (a: Feel, b: Feel, run: Run, site: Site) => Feel;

/** What an operator of comparison gives; undefined for another text. */
export function comparisonOf(operator: string): Comparison | undefined {
  if (operator === '=' || operator === '!=') {
    const wanted = operator === '=';
    return (a, b, run, site) => {
      const same = equal(a, b, run);
      return same === undefined ? incomparable(a, b, run, site) : same === wanted;
    };
  }
  const order = orders.get(operator);
  if (order === undefined) return undefined;
  return (a, b, run, site) => {
    const compared = compare(a, b);
    return compared === undefined ? incomparable(a, b, run, site) : order(compared);
  };
}

/** Null has no order, which is no fault of a model: a fact without a member is an everyday thing. */
const incomparable = (a: Feel, b: Feel, run: Run, site: Site): null =>
  a === null || b === null ? null : run.warn(site, `A ${kindOf(a)} and a ${kindOf(b)} cannot be compared.`);
