import type { EngineError } from '../../errors.js';
import type { Footprint } from '../../footprint.js';
import type { RunState, Value, ValueObject } from '../../values.js';
import { errorAt, type SourceSpan } from '../sourceSpan.js';
import { ZenDate } from '../values/date.js';
import { isObject, kindOf } from '../values/kinds.js';
import { isNumeric, type Numeric } from '../values/numbers.js';

/** How a unary cell whose value comes from the function is tested: equal to the field, a list the field is in, or as a condition. */
export type UnaryUse = 'equal' | 'in' | 'boolean';

/** A condition where it gives a boolean, one of several where it gives a list. */
export function unaryUseOf(definition: Pick<ZenFunction, 'gives' | 'unary'> | undefined): UnaryUse {
  const { gives, unary } = definition ?? { gives: 'a boolean' };
  return unary ?? (gives === 'a boolean' ? 'boolean' : gives.startsWith('a list') ? 'in' : 'equal');
}

/** What a parameter takes. The check is made before the implementation runs. */
export interface Parameter<T = unknown> {
  readonly name: string;
  /** In words, after "takes". */
  readonly takes: string;
  readonly optional?: true;
  accepts(value: Value | undefined): value is T & Value;
}

/** One function or method of the language. */
export interface ZenFunction<Args extends readonly unknown[] = readonly Value[]> {
  readonly name: string;
  readonly parameters: { readonly [Index in keyof Args]: Parameter<Args[Index]> };
  /** What it gives, in words. */
  readonly gives: string;
  /** Where what it gives does not say it. */
  readonly unary?: UnaryUse;
  readonly summary: string;
  readonly example: string;
  run(call: CallSite, run: RunState, ...args: Args): Value;
  /**
   * An implementation for arguments that are constants (undefined: not known), where it can save work. What it keeps is
   * part of the program's footprint.
   */
  specialise?(
    call: CallSite,
    known: readonly (Value | undefined)[],
    footprint: Footprint,
  ): ZenFunction['run'] | undefined;
}

/** A call in an expression. */
export interface CallSite extends SourceSpan {
  readonly name: string;
}

/** Checks an entry's types and forgets the precise ones of its arguments, so that all entries fit one table. */
export function define<const Args extends readonly unknown[]>(definition: ZenFunction<Args>): ZenFunction {
  // Sound, because a call hands over its arguments only after `accepts` of each parameter has narrowed them to `Args`.
  return definition as unknown as ZenFunction;
}

/** The error of a call that can't be done; the caller throws it. */
export function callError(call: CallSite, message: string): EngineError {
  return errorAt(call, 'type_error', `\`${call.name}\` ${message}`);
}

const ordinals = ['1st', '2nd', '3rd'];

/** The error of an argument that the parameter does not take. */
export function wrongArgument(
  call: CallSite,
  parameters: readonly Parameter[],
  index: number,
  value: Value,
): EngineError {
  const parameter = parameters[index];
  const where =
    parameters.length > 1 ? ` as its ${ordinals[index] ?? `${index + 1}th`} argument (${parameter?.name ?? ''})` : '';
  return callError(call, `takes ${parameter?.takes ?? 'nothing'}${where}, not ${kindOf(value)}`);
}

export const anything = (name: string): Parameter<Value> => ({
  name,
  takes: 'any value',
  accepts: (value): value is Value => value !== undefined,
});

export const string = (name: string): Parameter<string> => ({
  name,
  takes: 'a string',
  accepts: (value): value is string => typeof value === 'string',
});

export const number = (name: string): Parameter<Numeric> => ({
  name,
  takes: 'a number',
  accepts: (value): value is Numeric => isNumeric(value),
});

export const list = (name: string): Parameter<Value[]> => ({
  name,
  takes: 'a list',
  accepts: (value): value is Value[] => Array.isArray(value),
});

export const object = (name: string): Parameter<ValueObject> => ({
  name,
  takes: 'an object',
  accepts: (value): value is ValueObject => isObject(value),
});

export const date = (name: string): Parameter<ZenDate> => ({
  name,
  takes: 'a date made by `d(…)`',
  accepts: (value): value is ZenDate => value instanceof ZenDate,
});

export const stringOrList = (name: string): Parameter<string | Value[]> => ({
  name,
  takes: 'a string or a list',
  accepts: (value): value is string | Value[] => typeof value === 'string' || Array.isArray(value),
});

export const objectOrList = (name: string): Parameter<ValueObject | Value[]> => ({
  name,
  takes: 'an object or a list',
  accepts: (value): value is ValueObject | Value[] => Array.isArray(value) || isObject(value),
});

export const stringOrNumber = (name: string): Parameter<string | Numeric> => ({
  name,
  takes: 'a string or a number',
  accepts: (value): value is string | Numeric => typeof value === 'string' || isNumeric(value),
});

/** The same parameter, which may be left out. */
export function optional<T>(parameter: Parameter<T>): Parameter<T | undefined> {
  return {
    ...parameter,
    optional: true,
    accepts: (value): value is T & Value => value === undefined || parameter.accepts(value),
  };
}
