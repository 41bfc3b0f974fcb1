import type { Run, Site } from '../feelRun.js';
import { normalName } from '../scope.js';
import { isNumber, type FeelNumber } from '../values/number.js';
import { DaysDuration, FeelDate, FeelDateTime, FeelTime, MonthsDuration } from '../values/temporal.js';
import { FeelFunction, FeelRange, isContext, isList, kindOf, type Feel, type FeelContext } from '../values/value.js';

/** What a parameter of a built-in function takes. */
export interface Parameter<T> {
  readonly name: string;
  /** In words, after "takes". */
  readonly takes: string;
  /** Undefined for a value that it does not take. */
  readonly read: (value: Feel) => T | undefined;
  readonly isList?: boolean;
  readonly optional?: boolean;
  /** Takes all arguments from here on. */
  readonly rest?: boolean;
}

/** A call that runs. */
export class Call {
  readonly run: Run;
  readonly site: Site;
  readonly name: string;

  constructor(run: Run, site: Site, name: string) {
    this.run = run;
    this.site = site;
    this.name = name;
  }

  /** Says why the result is null. */
  fail(message: string): null {
    return this.run.warn(this.site, `\`${this.name}\` ${message}`);
  }
}

/** One way to call a function. */
export interface Signature {
  readonly parameters: readonly Parameter<unknown>[];
  readonly apply: (call: Call, args: readonly unknown[]) => Feel;
}

type ArgumentOf<P> =
  P extends Parameter<infer T>
    ? P extends { readonly rest: true }
      ? readonly T[]
      : P extends { readonly optional: true }
        ? T | undefined
        : T
    : never;

/** One way to call a function; arguments come as its parameters read them. */
export function signature<const P extends readonly Parameter<unknown>[]>(
  parameters: P,
  apply: (call: Call, ...args: { -readonly [I in keyof P]: ArgumentOf<P[I]> }) => Feel,
): Signature {
  // Sound, because a call hands over its arguments only after each parameter has read its own.
  const untyped = apply as (call: Call, ...args: readonly unknown[]) => Feel;
  return { parameters, apply: (call, args) => untyped(call, ...args) };
}

/** One function of the language: all that is known of it. */
export interface Builtin {
  readonly name: string;
  readonly signatures: readonly Signature[];
  /** What it gives, in words. */
  readonly gives: string;
  readonly summary: string;
  readonly example: string;
}

/** An entry of the table of functions. */
export const define = (
  name: string,
  gives: string,
  summary: string,
  example: string,
  signatures: readonly Signature[],
): Builtin => ({ name, gives, summary, example, signatures });

const parameter =
  <T>(takes: string, read: (value: Feel) => T | undefined, isOfList = false) =>
  (name: string): Parameter<T> => ({ name, takes, read, ...(isOfList ? { isList: true } : {}) });

const instance =
  <T extends Feel>(Type: abstract new (...args: never[]) => T) =>
  (value: Feel): T | undefined =>
    value instanceof Type ? value : undefined;

export const anything = parameter<Feel>('any value', (value) => value);
export const number = parameter<FeelNumber>('a number', (value) => (isNumber(value) ? value : undefined));
export const string = parameter<string>('a text', (value) => (typeof value === 'string' ? value : undefined));
export const boolean = parameter<boolean>('a boolean', (value) => (typeof value === 'boolean' ? value : undefined));
export const list = parameter<readonly Feel[]>('a list', (value) => (isList(value) ? value : undefined), true);
export const contextOf = parameter<FeelContext>('a context', (value) => (isContext(value) ? value : undefined));
export const date = parameter<FeelDate>('a date', instance(FeelDate));
export const time = parameter<FeelTime>('a time', instance(FeelTime));
export const dateTime = parameter<FeelDateTime>('a date and time', instance(FeelDateTime));
export const days = parameter<DaysDuration>('a days and time duration', instance(DaysDuration));
export const months = parameter<MonthsDuration>('a years and months duration', instance(MonthsDuration));
export const range = parameter<FeelRange>('a range', instance(FeelRange));
export const functionOf = parameter<FeelFunction>('a function', instance(FeelFunction));
/** A date, or a date and time. */
export const day = parameter<FeelDate>('a date', (value) =>
  value instanceof FeelDateTime ? value.date : value instanceof FeelDate ? value : undefined,
);
/** Null is a value of it. */
export const orNull = <T>(of: Parameter<T>): Parameter<T | null> => ({
  ...of,
  read: (value) => (value === null ? null : of.read(value)),
});
export const optional = <T>(of: Parameter<T>): Parameter<T> & { readonly optional: true } => ({
  ...of,
  optional: true,
});
export const rest = <T>(of: Parameter<T>): Parameter<T> & { readonly rest: true } => ({ ...of, rest: true });

/** The arguments as a signature reads them, or what is wrong with one. */
function argumentsOf({ parameters }: Signature, args: readonly (Feel | undefined)[]): unknown[] | string {
  const taken: unknown[] = [];
  for (const [index, of] of parameters.entries()) {
    if (of.rest === true) {
      const all: unknown[] = [];
      for (const arg of args.slice(index)) {
        const value = read(of, arg ?? null);
        if (value === undefined) return wrong(of, arg ?? null);
        all.push(value);
      }
      taken.push(all);
      return taken;
    }
    const arg = args[index];
    if (arg === undefined) {
      if (of.optional !== true) return `needs \`${of.name}\``;
      taken.push(undefined);
      continue;
    }
    const value = read(of, arg);
    if (value === undefined) return wrong(of, arg);
    taken.push(value);
  }
  return args.length > parameters.length ? `takes at most ${parameters.length} arguments, not ${args.length}` : taken;
}

const wrong = ({ name, takes }: Parameter<unknown>, value: Feel): string =>
  `takes ${takes} as \`${name}\`, not ${value === null ? 'null' : `a ${kindOf(value)}`}`;

/** A list of one may stand for its item, and an item for a list of one. */
function read(of: Parameter<unknown>, value: Feel): unknown {
  const own = of.read(value);
  if (own !== undefined) return own;
  if (of.isList === true) return value === null ? undefined : of.read([value]);
  return isList(value) && value.length === 1 ? of.read(value[0] ?? null) : undefined;
}

/** A built-in as a value of the language: the first of its signatures that takes the arguments is called. */
export function functionFrom({ name, signatures }: Builtin): FeelFunction {
  const ways = signatures.map((each) => ({ each, names: each.parameters.map((of) => normalName(of.name)) }));
  type Given = (way: (typeof ways)[number]) => readonly (Feel | undefined)[] | undefined;
  const callBy = (call: Call, given: Given, otherwise: string): Feel => {
    let reason = otherwise;
    for (const way of ways) {
      const args = given(way);
      if (args === undefined) continue;
      const taken = argumentsOf(way.each, args);
      if (typeof taken !== 'string') return way.each.apply(call, taken);
      reason = taken;
    }
    return call.fail(reason);
  };
  const byNames =
    (args: ReadonlyMap<string, Feel>): Given =>
    ({ each, names }) => {
      if (![...args.keys()].every((given) => names.includes(given))) return undefined;
      return names.flatMap((own, index) => {
        const arg = args.get(own);
        return each.parameters[index]?.rest === true && arg !== undefined && isList(arg) ? [...arg] : [arg];
      });
    };
  return new FeelFunction(
    name,
    undefined,
    undefined,
    (args, run, site) => callBy(new Call(run, site, name), () => args, 'takes other arguments'),
    (args, run, site) => {
      const unknown = [...args.keys()].map((each) => `\`${each}\``).join(', ');
      return callBy(new Call(run, site, name), byNames(args), `has no parameter ${unknown}`);
    },
  );
}
