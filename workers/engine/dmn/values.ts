import {
  anyType,
  bare,
  Big,
  coerced,
  dateFrom,
  durationFrom,
  isContext,
  isList,
  isNumber,
  momentFrom,
  numberFrom,
  simplest,
  temporalFrom,
  textOf,
  timeFrom,
  type Feel,
  type FeelNumber,
  type FeelType,
  type Run,
  type Site,
} from '../feel/index.js';
import type { Value, ValueObject } from '../values.js';
import { chargeItems } from '../zen/budget.js';
import { Decimal } from '../zen/values/decimal.js';
import { isObject } from '../zen/values/kinds.js';
import { checkNesting, setKey } from '../zen/values/objects.js';

/** Readers of the texts of JSON, by the kind that is declared. */
const readers: ReadonlyMap<string, (text: string) => Feel | undefined> = new Map(
  Object.entries({
    date: dateFrom,
    time: timeFrom,
    // As FEEL's own function does; the conversion of a date that is there already gives midnight in UTC.
    'date and time': momentFrom,
    'days and time duration': durationFrom,
    'years and months duration': durationFrom,
  }),
);

/**
 * A value of JSON as one of FEEL. Texts are read by the declared type, where that is a date, a time or a duration; what is
 * not of its type is left for a check to find.
 */
export function feelFrom(value: Value | undefined, type: FeelType, run: Run, depth = 0): Feel {
  if (value === null || value === undefined || typeof value === 'boolean') return value ?? null;
  const base = bare(type);
  if (typeof value === 'string') {
    const reader = readers.get(base.kind === 'list' ? bare(base.item).kind : base.kind);
    return reader?.(value) ?? value;
  }
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value + 0 : (numberFrom(String(value)) ?? null);
  if (value instanceof Decimal) return simplest(new Big(value.toJsonText()).toSignificantDigits(34)) ?? null;
  checkNesting(depth);
  if (Array.isArray(value)) {
    chargeItems(run.state, value.length);
    const item = base.kind === 'list' ? base.item : type;
    return value.map((each) => feelFrom(each, item, run, depth + 1));
  }
  if (isObject(value)) return contextFrom(value, base, run, depth);
  // A date of ZEN, which a decision node of JDM may hand over.
  const text = value.toJSON();
  return temporalFrom(text) ?? text;
}

function contextFrom(value: ValueObject, base: FeelType, run: Run, depth: number): Feel {
  const members = base.kind === 'context' ? base.members : undefined;
  const made = new Map<string, Feel>();
  for (const key of Object.keys(value)) {
    made.set(key, feelFrom(value[key], members?.get(key) ?? anyType, run, depth + 1));
  }
  chargeItems(run.state, made.size);
  return made;
}

/** A value of JSON as one of a type; undefined where it is none of it. */
export function readAs(value: Value | undefined, type: FeelType, run: Run): Feel | undefined {
  return coerced(feelFrom(value, type, run), type, run, 'fact');
}

/** Lists and contexts that were made into JSON already: values share parts, which may be exponentially many. */
export type Made = Map<Feel, Value>;

/**
 * A value of FEEL as one of JSON: dates and durations as their texts, ranges and functions too.
 * @param site is told of numbers that JSON does not have, which are null
 */
export function jsonFrom(value: Feel, run: Run, made: Made = new Map(), site?: Site, depth = 0): Value {
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number')
    return value;
  if (isNumber(value)) {
    const number = jsonFromNumber(value);
    return number === null && site !== undefined
      ? run.warn(site, 'A number is larger than those of JSON, which end at about 1.8e308.')
      : number;
  }
  if (!isList(value) && !isContext(value)) return textOf(value, run);
  const known = made.get(value);
  if (known !== undefined) return known;
  checkNesting(depth);
  const json = isList(value) ? value.map((item) => jsonFrom(item, run, made, site, depth + 1)) : {};
  if (isContext(value) && !Array.isArray(json))
    for (const [name, item] of value) setKey(json, name, jsonFrom(item, run, made, site, depth + 1));
  chargeItems(run.state, isList(value) ? value.length : value.size);
  made.set(value, json);
  return json;
}

/** Digits before and after the point that JSON shows without an exponent. */
const longestPlain = 100;

/** A number as one of JSON with all of its digits; null where it is larger than a double may be. */
export function jsonFromNumber(value: FeelNumber): Value {
  if (typeof value === 'number') return value;
  const plain = value.toNumber();
  if (!Number.isFinite(plain)) return null;
  if (value.precision() <= 15 && Math.abs(value.e) < 20) return plain;
  const places = Math.max(0, value.dp());
  const units = BigInt(value.times(new Big(10).pow(places)).toFixed());
  return Math.abs(value.e) > longestPlain
    ? new Decimal(units, places, value.toExponential())
    : new Decimal(units, places);
}
