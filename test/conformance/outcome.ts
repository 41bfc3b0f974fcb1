import { isDeepStrictEqual } from 'node:util';
import type { Value } from '../../workers/engine/index.js';
import { stringify } from '../../workers/engine/index.js';
import { formatJson, parseExactly } from '../../workers/json/index.js';

/** What a run gave: JSON, or the error's code with its message. */
export type Got = { readonly value: unknown } | { readonly error: string };

/** What a vector expects of an expression that must fail. */
export const anyError: unique symbol = Symbol('!error');
export type Expected = Value | typeof anyError;

/** A value as JSON has it, with all digits: no `-0`, no class of the engine but dates as their texts. */
export function asJson(value: Value): unknown {
  return parseExactly(stringify(value));
}

/** Whether a run gave what was expected. */
export function gave(got: Got, expected: Expected): boolean {
  if (expected === anyError) return 'error' in got;
  return 'value' in got && isDeepStrictEqual(got.value, asJson(expected));
}

export function describeExpected(expected: Expected): string {
  return expected === anyError ? 'an error' : stringify(expected);
}

export function same(one: Got, other: Got): boolean {
  return isDeepStrictEqual(one, other);
}

export function shown(got: Got): string {
  return 'value' in got ? formatJson(got.value) : `! ${got.error}`;
}

/** The paths at which two JSON values differ, `/` between keys. */
export function differences(one: unknown, other: unknown, path = ''): string[] {
  if (isDeepStrictEqual(one, other)) return [];
  if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other)) return [path];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) => differences(one[key], other[key], `${path}/${key}`));
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
