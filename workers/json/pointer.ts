import { LongNumber } from './exact.js';

/** A step of a JSON Pointer (RFC 6901). */
export const pointerStep = (step: string | number): string =>
  `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The JSON Pointer of what names and indices lead to. */
export const pointerOf = (path: readonly (string | number)[]): string => path.map(pointerStep).join('');

/** The steps of a JSON Pointer, as names. */
export const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Most characters of a name that are shown, so that an answer does not grow with what a client sent. */
const longestShown = 100;

/** A name that is shown, cut where it is long. */
export const shortName = (name: string): string =>
  (name.length > longestShown ? `${name.slice(0, longestShown)}…` : name).toWellFormed();

/** A step of a pointer that is shown. */
export const shortStep = (name: string): string => pointerStep(shortName(name));

export const shortPointer = (path: readonly (string | number)[]): string =>
  path.map((step) => shortStep(String(step))).join('');

/**
 * What stands at a JSON Pointer (RFC 6901); undefined where nothing does. Objects of a class, such as decimals and dates, are values
 * without members.
 */
export function valueAt(json: unknown, pointer: string): unknown {
  let value = json;
  for (const name of stepsOf(pointer)) {
    if (!isContainer(value) || !Object.hasOwn(value, name)) return undefined;
    // A list has no members but its items.
    if (Array.isArray(value) && name === 'length') return undefined;
    value = (value as Readonly<Record<string, unknown>>)[name];
  }
  return value;
}

/** A list, or an object that is no instance of a class. */
export function isContainer(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

/** An object with members: no list, and no number of many digits. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof LongNumber);

/** The objects of a list; none of anything else. */
export const recordsIn = (list: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(list) ? list.filter(isRecord) : [];

/** A member of an object; undefined of anything else. */
export const member = (value: unknown, key: string): unknown => (isRecord(value) ? value[key] : undefined);
