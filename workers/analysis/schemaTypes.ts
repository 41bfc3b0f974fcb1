import { isRecord } from '../json/index.js';
import { parsedSchema } from '../engine/jdm/schemas.js';
import type { Value } from '../engine/values.js';
import { ZenDate } from '../engine/zen/values/date.js';
import { isNumeric } from '../engine/zen/values/numbers.js';
import { isWhole } from './atoms.js';
import type { Known, KnownField } from './knownValues.js';
import { fieldPath, pathName } from './paths.js';

/** The fields that a request's JSON Schema makes dates or whole numbers: each is a valid one, or is not there. */
export function typedFields(schema: unknown): KnownField[] {
  return typedIn(parsedSchema(schema), []);
}

function typedIn(schema: unknown, path: readonly string[]): KnownField[] {
  if (!isRecord(schema)) return [];
  const holds = isDate(schema) ? isDateOrAbsent : isInteger(schema) ? isWholeOrAbsent : undefined;
  if (path.length > 0 && holds !== undefined)
    return [{ path, known: { values: null, tests: [{ predicate: { path, constants: [], holds }, isTrue: true }] } }];
  const { properties } = schema;
  return isRecord(properties)
    ? Object.entries(properties).flatMap(([key, inner]) => typedIn(inner, [...path, key]))
    : [];
}

const isDate = ({ type, format }: Readonly<Record<string, unknown>>): boolean =>
  (format === 'date' || format === 'date-time') && isOnly(type, 'string');

const isInteger = ({ type }: Readonly<Record<string, unknown>>): boolean => isOnly(type, 'integer');

/** Whether nothing but values of a type may be there, and null. */
function isOnly(type: unknown, wanted: string): boolean {
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.includes(wanted) && types.every((each) => each === wanted || each === 'null');
}

const isDateOrAbsent = (value: Value): boolean => value === null || (value instanceof ZenDate && value.moment !== null);

const isWholeOrAbsent = (value: Value): boolean => value === null || (isNumeric(value) && isWhole(value));

/** The fields of columns of which somebody has said that only whole numbers, or days, come there. */
export const wholeFields = (inputs: unknown): ReadonlySet<string> =>
  new Set(
    (Array.isArray(inputs) ? (inputs as unknown[]) : []).flatMap((column) => {
      if (!isRecord(column) || (column['_whole'] !== true && column['_kind'] !== 'date')) return [];
      const path = fieldPath(String(column['field']));
      return path === undefined ? [] : [pathName(path)];
    }),
  );

/** Whether a field has no fractions, if it is there at all. */
export const isKnownWhole = ({ tests }: Known): boolean =>
  tests.some(({ predicate: { holds } }) => holds === isWholeOrAbsent);
