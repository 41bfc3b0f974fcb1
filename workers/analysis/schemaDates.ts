import { isRecord } from '../engine/jdm/reader.js';
import { ZenDate } from '../engine/zen/values/date.js';
import type { KnownField } from './known.js';

/** The fields that a request's JSON Schema makes dates: each is a valid one, or is not there. */
export function dateFields(schema: unknown): KnownField[] {
  return datesIn(typeof schema === 'string' ? parsed(schema) : schema, []);
}

function datesIn(schema: unknown, path: readonly string[]): KnownField[] {
  if (!isRecord(schema)) return [];
  if (path.length > 0 && isDate(schema)) return [{ path, known: { values: null, tests: [isDateOrAbsent(path)] } }];
  const { properties } = schema;
  return isRecord(properties)
    ? Object.entries(properties).flatMap(([key, inner]) => datesIn(inner, [...path, key]))
    : [];
}

const isDate = ({ type, format }: Readonly<Record<string, unknown>>): boolean =>
  (format === 'date' || format === 'date-time') &&
  (Array.isArray(type) ? type : [type]).every((each) => each === 'string' || each === 'null');

const isDateOrAbsent = (path: readonly string[]): KnownField['known']['tests'][number] => ({
  predicate: {
    path,
    constants: [],
    holds: (value) => value === null || (value instanceof ZenDate && value.moment !== null),
  },
  isTrue: true,
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
