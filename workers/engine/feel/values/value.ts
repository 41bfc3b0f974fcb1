import type { Decimal } from 'decimal.js';
import type { Run, Site } from '../feelRun.js';
import { isNumber } from './number.js';
import { DaysDuration, FeelDate, FeelDateTime, FeelTime, MonthsDuration } from './temporal.js';

/** A value of FEEL. Values are never changed once they are made. */
export type Feel =
  null | boolean | number | Decimal | string | Temporal | FeelRange | FeelFunction | readonly Feel[] | FeelContext;

export type Temporal = FeelDate | FeelTime | FeelDateTime | DaysDuration | MonthsDuration;

/** A map, because names are a stranger's: `__proto__` is one like any other. */
export type FeelContext = ReadonlyMap<string, Feel>;

/** A range; a bound that is null is none. */
export class FeelRange {
  readonly low: Feel;
  readonly high: Feel;
  readonly lowIncluded: boolean;
  readonly highIncluded: boolean;

  /** Written as a test, `(= 5)`: such a range is not the same as `[5..5]`. */
  readonly isTest: boolean;

  constructor(low: Feel, high: Feel, lowIncluded: boolean, highIncluded: boolean, isTest = false) {
    this.low = low;
    this.high = high;
    this.lowIncluded = lowIncluded;
    this.highIncluded = highIncluded;
    this.isTest = isTest;
  }
}

/** A type of FEEL, or of an item definition. */
export type FeelType =
  | { readonly kind: 'any' | Exclude<Kind, 'list' | 'context' | 'range' | 'function'> }
  | { readonly kind: 'list' | 'range'; readonly item: FeelType }
  /** A value may have other members too. */
  | { readonly kind: 'context'; readonly members: ReadonlyMap<string, FeelType> }
  | { readonly kind: 'function'; readonly parameters: readonly FeelType[] | undefined; readonly result: FeelType }
  /** With allowed values or a type constraint. */
  | { readonly kind: 'constrained'; readonly base: FeelType; readonly text: string; readonly allows: Constraint }
  /** An item definition, which may contain itself. */
  | { readonly kind: 'named'; readonly name: string; readonly target: () => FeelType };

/** Whether a value is one of those that are allowed. */
type Constraint = (value: Feel, run: Run) => boolean;

export const anyType: FeelType = { kind: 'any' };

/** In place of an argument whose value is not known before a run. */
export const unknownArgument: unique symbol = Symbol('unknown');
export type Argument = Feel | typeof unknownArgument | undefined;

/** What one of the language's own functions says of calls before they run. */
interface Foresight {
  /** Why no call with these arguments has a value; undefined where one may have. */
  readonly refuses: (args: readonly Argument[] | ReadonlyMap<string, Argument>) => string | undefined;
  /** What its results are, where they are all of one kind. */
  readonly gives: Kind | undefined;
  /** How it is called: `contains(string, match)`. */
  readonly calls: readonly string[];
  readonly example: string;
}

export interface FunctionParameter {
  readonly name: string;
  /** The name in its one form, by which arguments are given. */
  readonly key: string;
  readonly type: FeelType;
}

/** A function that a model or the language defines. */
export class FeelFunction {
  readonly name: string;
  /** Undefined for the language's own, which check their arguments themselves. */
  readonly parameters: readonly FunctionParameter[] | undefined;
  readonly result: FeelType | undefined;
  readonly call: (args: readonly Feel[], run: Run, site: Site) => Feel;
  /** Of the language's own. */
  readonly callNamed: ((args: ReadonlyMap<string, Feel>, run: Run, site: Site) => Feel) | undefined;
  /** Of the language's own. */
  readonly foresight: Foresight | undefined;

  constructor(
    name: string,
    parameters: readonly FunctionParameter[] | undefined,
    result: FeelType | undefined,
    call: (args: readonly Feel[], run: Run, site: Site) => Feel,
    callNamed?: (args: ReadonlyMap<string, Feel>, run: Run, site: Site) => Feel,
    foresight?: Foresight,
  ) {
    this.name = name;
    this.parameters = parameters;
    this.result = result;
    this.call = call;
    this.callNamed = callNamed;
    this.foresight = foresight;
  }
}

export const isList = (value: Feel): value is readonly Feel[] => Array.isArray(value);
export const isContext = (value: Feel): value is FeelContext => value instanceof Map;

export type Kind =
  | 'null'
  | 'boolean'
  | 'number'
  | 'string'
  | 'date'
  | 'time'
  | 'date and time'
  | 'days and time duration'
  | 'years and months duration'
  | 'range'
  | 'function'
  | 'list'
  | 'context';

/** Whether a value stands where a boolean is wanted, and is of another kind. */
export const isNoTruth = (value: Feel): boolean => value !== null && typeof value !== 'boolean';

/** What a value is, in the words of the language. */
export function kindOf(value: Feel): Kind {
  if (value === null) return 'null';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'boolean';
  if (isNumber(value)) return 'number';
  if (isList(value)) return 'list';
  if (isContext(value)) return 'context';
  if (value instanceof FeelDate) return 'date';
  if (value instanceof FeelTime) return 'time';
  if (value instanceof FeelDateTime) return 'date and time';
  if (value instanceof DaysDuration) return 'days and time duration';
  if (value instanceof MonthsDuration) return 'years and months duration';
  return value instanceof FeelRange ? 'range' : 'function';
}
