import { InvalidArgumentError } from 'commander';
import { formats, parseTimestamp } from '../formats.js';
import { parseScopes, scopesFault } from '../oauth/scopes.js';
import { isUuid } from '../storage/ids.js';
import type { Operations } from './remote/service.js';

/** What `parse` throws: the text is none of the kind that the parameter takes. */
export { InvalidArgumentError };

/**
 * An argument (`<file>`, `[file]`, `<file...>`) or an option (`--name <name>`, `--save`) of a command.
 * @typeParam T what its text is read as; undefined where it may be left out
 */
export interface Param<T> {
  readonly flags: string;
  readonly about: string;
  /** Throws `InvalidArgumentError`, which ends in exit 2. Of what is repeatable, it is given what the texts before it made. */
  readonly parse?: (text: string, before: unknown) => unknown;
  readonly choices?: readonly string[];
  readonly required?: true;
  readonly fallback?: unknown;
  /** The environment variable that says it where it is left out; one that cannot be read is none. */
  readonly variable?: string;
  /** Gives the id that the API is asked with, where people name a resource otherwise. */
  readonly resolve?: (service: Operations, name: string) => Promise<string>;
  /** The command's own: the API is not asked with it. */
  readonly own?: true;
  /** Never set: the type of the value. */
  readonly value?: T;
}

export type Params = Readonly<Record<string, Param<unknown>>>;

/** What a command gets: the values of its arguments and options, by their names. */
export type Input<P extends Params> = { readonly [Name in keyof P]: P[Name] extends Param<infer T> ? T : never };

/** `<file>` must be given; `[file]` and options need not be. */
export type Given<Flags extends string, T> = Flags extends `<${string}` ? T : T | undefined;

export const text = <F extends string>(flags: F, about: string): Param<Given<F, string>> => ({ flags, about });

export const flag = (flags: string, about: string): Param<boolean | undefined> => ({ flags, about });

/** `--no-hosts`: true unless it is given. */
export const negated = (flags: string, about: string): Param<boolean> => ({ flags, about });

export const parsed = <T, F extends string>(
  flags: F,
  about: string,
  parse: (text: string) => T,
): Param<Given<F, T>> => ({ flags, about, parse });

export const id = <F extends string>(flags: F, about: string): Param<Given<F, string>> => parsed(flags, about, parseId);

export const date = (flags: string, about: string): Param<Date | undefined> => parsed(flags, about, parseDate);

export const count = <F extends string>(
  flags: F,
  about: string,
  [min, max]: readonly [min: number, max: number],
): Param<Given<F, number>> => parsed(flags, about, (text) => parseCount(text, min, max));

/** Above 0, at most 1. */
export const share = (flags: string, about: string): Param<number | undefined> => parsed(flags, about, parseShare);

export const choice = <T extends string>(
  flags: string,
  about: string,
  choices: readonly T[],
): Param<T | undefined> => ({ flags, about, choices });

/** Of several texts: a repeatable option, or an argument such as `<file...>`. */
export const many = <T, F extends string>(
  flags: F,
  about: string,
  parse: (text: string) => T,
): Param<Given<F, readonly T[]>> => ({
  flags,
  about,
  parse: (text, before) => [...(Array.isArray(before) ? (before as readonly T[]) : []), parse(text)],
});

export const required = <T>(param: Param<T>): Param<Exclude<T, undefined>> => ({ ...without(param), required: true });

/** With a value where it is left out. */
export const preset = <T>(param: Param<T>, fallback: Exclude<T, undefined>): Param<Exclude<T, undefined>> => ({
  ...without(param),
  fallback,
});

/** A parameter keeps no value: only its type has one. */
const without = ({ value: _, ...param }: Param<unknown>): Omit<Param<never>, 'value'> => param;

/** What the command alone looks at. */
export const own = <T>(param: Param<T>): Param<T> => ({ ...param, own: true });

/** 0 is the working copy. */
export const versions = [0, 2_147_483_647] as const;

/** The options of a list from the newest entry to the oldest. */
export const recent = {
  size: preset(count('--size <n>', 'how many at most, 1 to 5000', [1, 5000]), 50),
  from: date('--from <date>', 'from then on, such as 2026-01-31 (midnight UTC) or 2026-01-31T09:30:00Z'),
  to: date('--to <date>', 'before then'),
};

/** A list of names in one text, such as `"deployment.created execution.failed"`, or with commas. */
export const words = (text: string): string[] => text.split(/[ ,]/).filter((word) => word !== '');

export function parseId(text: string): string {
  if (!isUuid(text)) throw new InvalidArgumentError('It must be a UUID.');
  return text.toLowerCase();
}

function parseCount(text: string, min: number, max: number): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number < min || number > max) {
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  }
  return number;
}

function parseShare(text: string): number {
  const share = Number(text);
  if (!/^\d*\.?\d+$/.test(text) || share <= 0 || share > 1) {
    throw new InvalidArgumentError('It must be a number above 0, at most 1.');
  }
  return share;
}

/** Scopes in one text, such as `"environments:read execution:write"`. */
export function scopesOf(text: string): readonly string[] {
  const wanted = parseScopes(text);
  const fault = scopesFault(wanted);
  if (fault !== undefined) throw new InvalidArgumentError(fault);
  return wanted;
}

/** `2026-01-31` (midnight UTC) or a full timestamp with a zone. */
function parseDate(text: string): Date {
  const date = parseTimestamp(text);
  if (date === undefined) throw new InvalidArgumentError(`It must be ${formats.timestamp.what}.`);
  return date;
}

/** `NAME=VALUE`, split at the first `=`. */
export function parsePair(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It must be NAME=VALUE.');
  return [text.slice(0, at), text.slice(at + 1)];
}

/** `/FIELD=VALUE`: what a field of results is to equal. The value is JSON where it parses as such, else a text. */
export function parseEquality(text: string): { readonly pointer: string; readonly equals: unknown } {
  const [pointer, value] = parsePair(text);
  try {
    return { pointer, equals: JSON.parse(value) as unknown };
  } catch {
    return { pointer, equals: value };
  }
}
