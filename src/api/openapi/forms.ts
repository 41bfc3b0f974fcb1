import type { ApiRoute } from '../authorize.js';
import type { Json } from './schema.js';

/** An operation as a form asks for it: by its route, with the schema of its body. */
interface OperationForm {
  readonly id: string;
  readonly route: string;
  readonly body: Json | null;
}

/** Of a body more deeply nested no form asks. */
const mostLevels = 3;

/** What a form needs of a field: what it may be, and what is said of it. */
const keywords = ['type', 'format', 'enum', 'minimum', 'maximum', 'maxLength', 'required'];

/** The forms of all operations, made of the document. */
export function formsOf(routes: readonly ApiRoute[], document: Json): readonly OperationForm[] {
  return routes.map(({ operationId: id, method, path }) => {
    const body = ['paths', path, method.toLowerCase(), 'requestBody', 'content', 'application/json', 'schema'];
    return { id, route: `${method} ${path}`, body: fieldsOf(at(document, body), document, 0) };
  });
}

const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const at = (from: unknown, names: readonly string[]): unknown =>
  names.reduce<unknown>((found, name) => (isJson(found) ? found[name] : undefined), from);

/** A schema with the ones that it names in their places. Of alternatives the one that has fields: the others need no form. */
function fieldsOf(given: unknown, document: Json, level: number): Json | null {
  if (!isJson(given)) return null;
  const { $ref: reference, anyOf, ...rest } = given;
  const named = typeof reference === 'string' ? at(document, reference.split('/').slice(1)) : undefined;
  const alternatives: readonly unknown[] = Array.isArray(anyOf) ? anyOf : [];
  const withFields = alternatives
    .map((each) =>
      isJson(each) && typeof each['$ref'] === 'string' ? at(document, each['$ref'].split('/').slice(1)) : each,
    )
    .find((each) => isJson(each) && isJson(each['properties']));
  const schema: Json = { ...(isJson(named) ? named : {}), ...(isJson(withFields) ? withFields : {}), ...rest };
  const { properties, items } = schema;
  return {
    ...Object.fromEntries(keywords.flatMap((name) => (name in schema ? [[name, schema[name]]] : []))),
    ...(isExplained(schema) ? { description: schema['description'] } : {}),
    ...(isJson(properties) && level < mostLevels
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, inner]) => [name, fieldsOf(inner, document, level + 1) ?? {}]),
          ),
        }
      : {}),
    ...(isJson(items) ? { items: { type: items['type'] } } : {}),
  };
}

/** How long a text may be, its limits say; and what takes a list to explain has no room beside a field. */
const isExplained = ({ description }: Json): boolean =>
  typeof description === 'string' && !/^\d+ to \d+ characters|\n/.test(description);
