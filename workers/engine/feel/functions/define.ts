import type { Run, Site } from '../feelRun.js';
import { normalName } from '../scope.js';
import { isNumber, type FeelNumber } from '../values/number.js';
import { DaysDuration, FeelDate, FeelDateTime, FeelTime, MonthsDuration } from '../values/temporal.js';
import {
  FeelFunction,
  FeelRange,
  isContext,
  isList,
  kindOf,
  unknownArgument,
  type Argument,
  type Feel,
  type FeelContext,
  type Kind,
} from '../values/value.js';

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

/** The arguments as a signature reads them, or what is wrong with one. One that is not known yet may be anything. */
function argumentsOf({ parameters }: Signature, args: readonly Argument[]): unknown[] | string {
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

const wrong = ({ name, takes }: Parameter<unknown>, value: Known): string =>
  `takes ${takes} as \`${name}\`, not ${value === null || value === unknownArgument ? 'null' : `a ${kindOf(value)}`}`;

type Known = Exclude<Argument, undefined>;

/** A list of one may stand for its item, and an item for a list of one. */
function read(of: Parameter<unknown>, value: Known): unknown {
  if (value === unknownArgument) return value;
  const own = of.read(value);
  if (own !== undefined) return own;
  if (of.isList === true) return value === null ? undefined : of.read([value]);
  return isList(value) && value.length === 1 ? of.read(value[0] ?? null) : undefined;
}

/** How a function is called, each way once. */
export const callsOf = ({ name, signatures }: Builtin): string[] => [
  ...new Set(signatures.map(({ parameters }) => `${name}(${parameters.map(shown).join(', ')})`)),
];

const shown = ({ name, optional: isOptional, rest: isRest }: Parameter<unknown>): string =>
  `${name}${isOptional === true ? '?' : isRest === true ? ', …' : ''}`;

/** Kinds of results, by the words for them. */
const kindsOfResults: ReadonlyMap<string, Kind> = new Map(
  Object.entries({
    'a number': 'number',
    'a boolean': 'boolean',
    'a text': 'string',
    'a date': 'date',
    'a time': 'time',
    'a date and time': 'date and time',
    'a years and months duration': 'years and months duration',
  }),
);

/** A built-in as a value of the language: the first of its signatures that takes the arguments is called. */
export function functionFrom(builtin: Builtin): FeelFunction {
  const { name, signatures, gives, example } = builtin;
  const ways = signatures.map((each) => ({ each, names: each.parameters.map((of) => normalName(of.name)) }));
  type Way = (typeof ways)[number];
  type Args = readonly Argument[] | ReadonlyMap<string, Argument>;
  const given = ({ each, names }: Way, args: Args): readonly Argument[] | undefined => {
    if (!(args instanceof Map)) return args as readonly Argument[];
    const byName: ReadonlyMap<string, Argument> = args;
    if (![...byName.keys()].every((key) => names.includes(key))) return undefined;
    return names.flatMap((own, index): readonly Argument[] => {
      const arg = byName.get(own);
      const isRest = each.parameters[index]?.rest === true;
      return isRest && arg !== undefined && arg !== unknownArgument && isList(arg) ? arg : [arg];
    });
  };
  /** The signature that takes the arguments, as it reads them, or why none does. */
  const wayFor = (args: Args): { readonly each: Signature; readonly taken: unknown[] } | string => {
    const unknown = args instanceof Map ? [...args.keys()].map((each) => `\`${String(each)}\``).join(', ') : '';
    let reason = unknown === '' ? 'takes other arguments' : `has no parameter ${unknown}`;
    for (const way of ways) {
      const own = given(way, args);
      const taken = own && argumentsOf(way.each, own);
      if (typeof taken === 'object') return { each: way.each, taken };
      reason = taken ?? reason;
    }
    return reason;
  };
  const callBy = (args: Args, call: Call): Feel => {
    const way = wayFor(args);
    return typeof way === 'string' ? call.fail(way) : way.each.apply(call, way.taken);
  };
  return new FeelFunction(
    name,
    undefined,
    undefined,
    (args, run, site) => callBy(args, new Call(run, site, name)),
    (args, run, site) => callBy(args, new Call(run, site, name)),
    {
      gives: kindsOfResults.get(gives),
      calls: callsOf(builtin),
      example,
      refuses(args) {
        const way = wayFor(args);
        return typeof way === 'string' ? way : undefined;
      },
    },
  );
}
