import { charge } from '../zen/budget.js';
import type { Run, Site } from './feelRun.js';
import { FeelDate, FeelDateTime } from './values/temporal.js';
import {
  anyType,
  FeelFunction,
  FeelRange,
  isContext,
  isList,
  kindOf,
  type Feel,
  type FeelType,
} from './values/value.js';

const simple: ReadonlyMap<string, FeelType> = new Map(
  Object.entries({
    Any: anyType,
    any: anyType,
    Null: { kind: 'null' },
    number: { kind: 'number' },
    string: { kind: 'string' },
    boolean: { kind: 'boolean' },
    date: { kind: 'date' },
    time: { kind: 'time' },
    'date and time': { kind: 'date and time' },
    dateTime: { kind: 'date and time' },
    'days and time duration': { kind: 'days and time duration' },
    dayTimeDuration: { kind: 'days and time duration' },
    'years and months duration': { kind: 'years and months duration' },
    yearMonthDuration: { kind: 'years and months duration' },
    list: { kind: 'list', item: anyType },
    context: { kind: 'context', members: new Map() },
    function: { kind: 'function', parameters: undefined, result: anyType },
    range: { kind: 'range', item: anyType },
  }),
);

/** The type of a name of the language; undefined for another name. */
export const builtinType = (name: string): FeelType | undefined => simple.get(name);

/** The type without its name and constraints. */
export function bare(type: FeelType): FeelType {
  let base = type;
  for (let level = 0; level < 50; level++) {
    if (base.kind === 'named') base = base.target();
    else if (base.kind === 'constrained') base = base.base;
    else return base;
  }
  return anyType;
}

/**
 * `instance of` looks at the structure alone, and not at allowed values. A fact may leave members out: they count as null.
 */
type Use = 'whole' | 'structure' | 'fact';

/** Whether a value is of a type, without any conversion. Null is of none but Any and Null. */
export function isOf(value: Feel, type: FeelType, run: Run, use: Use = 'whole'): boolean {
  switch (type.kind) {
    case 'any':
      return value !== null;
    case 'named':
      return isOf(value, type.target(), run, use);
    case 'constrained':
      return isOf(value, type.base, run, use) && (use === 'structure' || type.allows(value, run));
    case 'list':
      if (!isList(value)) return false;
      charge(run.state, value.length);
      return value.every((item) => conforms(item, type.item, run, use));
    case 'context':
      if (!isContext(value)) return false;
      charge(run.state, type.members.size);
      return [...type.members].every(
        ([name, member]) => (use === 'fact' || value.has(name)) && conforms(value.get(name) ?? null, member, run, use),
      );
    case 'range':
      return value instanceof FeelRange && (isOf(value.low ?? value.high, type.item, run) || type.item.kind === 'any');
    case 'function':
      return value instanceof FeelFunction && functionConforms(value, type, run);
    default:
      return kindOf(value) === type.kind;
  }
}

/** As `isOf`, but null is of every type. */
const conforms = (value: Feel, type: FeelType, run: Run, use: Use = 'whole'): boolean =>
  value === null || isOf(value, type, run, use);

/** What a function gives that does not say so is found out when it is called. */
const functionConforms = (value: FeelFunction, type: Extract<FeelType, { kind: 'function' }>, run: Run): boolean => {
  if (type.parameters === undefined || value.parameters === undefined) return type.parameters === undefined;
  const parameters = value.parameters.map((each) => each.type);
  return typeConforms({ kind: 'function', parameters, result: value.result ?? type.result }, type, run);
};

/** Whether each value of the first type is of the second. Types that name one another may have billions of parts. */
function typeConforms(type: FeelType, other: FeelType, run: Run, level = 0): boolean {
  charge(run.state, 1);
  const [a, b] = [bare(type), bare(other)];
  if (b.kind === 'any' || a.kind === 'null' || level > 20) return true;
  if (a.kind !== b.kind) return false;
  if ((a.kind === 'list' || a.kind === 'range') && a.kind === b.kind)
    return typeConforms(a.item, b.item, run, level + 1);
  if (a.kind === 'context' && b.kind === 'context') {
    return [...b.members].every(([name, member]) => {
      const own = a.members.get(name);
      return own !== undefined && typeConforms(own, member, run, level + 1);
    });
  }
  if (a.kind === 'function' && b.kind === 'function') {
    const { parameters = [] } = a;
    return (
      b.parameters === undefined ||
      (parameters.length === b.parameters.length &&
        b.parameters.every((each, index) => typeConforms(each, parameters[index] ?? anyType, run, level + 1)) &&
        typeConforms(a.result, b.result, run, level + 1))
    );
  }
  return true;
}

/**
 * The value as one of the type, by the conversions of the standard: an item for a list of one, a list of one for an item,
 * midnight (UTC) for a date. Undefined where there is none.
 */
export function coerced(value: Feel, type: FeelType, run: Run, use: Use = 'whole'): Feel | undefined {
  if (type.kind === 'any' || value === null) return value;
  if (isOf(value, type, run, use)) return value;
  const { kind } = bare(type);
  if (kind === 'date and time' && value instanceof FeelDate) return FeelDateTime.ofDate(value);
  if (isList(value) && kind !== 'list') {
    const [only = null] = value;
    return value.length === 1 && isOf(only, type, run, use) ? only : undefined;
  }
  if (kind === 'list' && !isList(value)) return isOf([value], type, run, use) ? [value] : undefined;
  return undefined;
}

/** The value as one of the type: null, with a warning, where there is none. @param what begins the warning */
export function held(
  value: Feel,
  type: FeelType,
  run: Run,
  { site, what = 'The result' }: { site: Site; what?: string },
) {
  const result = coerced(value, type, run);
  if (result !== undefined) return result;
  return run.warn(site, `${what} is a ${kindOf(value)}, which is not of its type: ${typeText(type)}.`);
}

/** A type in words. */
export function typeText(type: FeelType): string {
  switch (type.kind) {
    case 'any':
      return 'any value';
    case 'named':
      return type.name;
    case 'constrained':
      return `${typeText(type.base)} of ${type.text}`;
    case 'list':
      return `list of ${typeText(type.item)}`;
    default:
      return type.kind;
  }
}
