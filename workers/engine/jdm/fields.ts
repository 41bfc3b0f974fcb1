import { isRecord } from '../../json/index.js';

/** The fields that an object has at most, each with those within it; null where nobody knows them. */
export type Fields = ReadonlyMap<string, Fields | null>;

/** Parts of a schema that can name fields beside its properties. */
const open = ['$ref', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', 'dependentSchemas'];
/** Deeper schemas are not followed. */
const maxDepth = 8;

/** The fields that a declared JSON Schema (text or object) names. */
export function fieldsOfSchema(schema: unknown, depth = 0): Fields | null {
  const read = typeof schema === 'string' ? parsed(schema) : schema;
  if (!isRecord(read) || depth > maxDepth || open.some((key) => key in read)) return null;
  const { properties, additionalProperties } = read;
  if (!isRecord(properties) || additionalProperties === true || isRecord(additionalProperties)) return null;
  return new Map(Object.entries(properties).map(([name, within]) => [name, fieldsOfSchema(within, depth + 1)]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Adds a path. What its last step holds nobody knows. */
export function addFields(fields: Map<string, Fields | null>, [first = '', ...rest]: readonly string[]): void {
  const known = fields.get(first);
  if (rest.length === 0 || known === null) {
    fields.set(first, null);
    return;
  }
  const within = new Map(known);
  addFields(within, rest);
  fields.set(first, within);
}
