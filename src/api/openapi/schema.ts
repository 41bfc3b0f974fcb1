import type { TSchema } from 'typebox';
import { formats, type TextFormat } from '../../formats.js';

/** JSON Schema 2020-12 or any other part of the document. */
export type Json = Readonly<Record<string, unknown>>;

/** Named schemas of the document, filled while operations are described. */
export type Components = Map<string, Json>;

/**
 * A schema of the code as the document shows it: what has a title becomes a component of that name, custom keywords
 * become standard ones, and unions become the shortest equal form.
 */
export function describeSchema(schema: TSchema, components: Components): Json {
  return convert(schema as unknown as Json, components);
}

function convert(schema: Json, components: Components): Json {
  const { documentedAs, title, ...rest } = schema;
  if (documentedAs !== undefined) return { ...convertParts(documentedAs as Json, components), ...described(rest) };
  if (typeof title !== 'string') return convertParts(rest, components);
  const component = convertParts(rest, components);
  const known = components.get(title);
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(component)) {
    throw new Error(`two schemas are titled ${title}`);
  }
  components.set(title, component);
  return { $ref: `#/components/schemas/${title}` };
}

const described = ({ description }: Json): Json => (description === undefined ? {} : { description });

function convertParts(schema: Json, components: Components): Json {
  const { trimmedLength, properties, patternProperties, items, anyOf, allOf, then, format, ...rest } = schema;
  const fields = Object.entries((properties ?? {}) as Record<string, Json>);
  return {
    ...rest,
    ...(typeof format === 'string' ? standardForm(format) : {}),
    ...(trimmedLength === undefined ? {} : trimmed(trimmedLength as [number, number])),
    ...(fields.length === 0
      ? {}
      : { properties: Object.fromEntries(fields.map(([name, field]) => [name, convert(field, components)])) }),
    ...(patternProperties === undefined ? {} : ofAnyName(patternProperties as Record<string, Json>, components)),
    ...(items === undefined ? {} : { items: convert(items as Json, components) }),
    ...(allOf === undefined ? {} : { allOf: (allOf as Json[]).map((part) => convert(part, components)) }),
    ...(then === undefined ? {} : { then: convert(then as Json, components) }),
    ...(anyOf === undefined ? {} : union((anyOf as Json[]).map((part) => convert(part, components)))),
  };
}

/** Generated clients know the types of `additionalProperties` alone. */
function ofAnyName(patterns: Readonly<Record<string, Json>>, components: Components): Json {
  const { '^.*$': any, ...others } = patterns;
  return any === undefined ? { patternProperties: others } : { additionalProperties: convert(any, components) };
}

function standardForm(format: string): Json {
  const { pattern } = (formats as Readonly<Record<string, TextFormat>>)[format] ?? {};
  return pattern === undefined ? (standardFormats.get(format) ?? { format }) : { pattern };
}

/** Standard forms of our own formats that are no pattern, as far as there are any. */
const standardFormats: ReadonlyMap<string, Json> = new Map(
  Object.entries({
    'web-url': { format: 'uri', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' },
    mail: { format: 'email', maxLength: 254 },
    prose: {},
    timestamp: {},
    principal: {},
    host: {},
    'replay-bound': {},
    'monitor-condition': {},
  }),
);

const trimmed = ([minLength, maxLength]: [number, number]): Json => ({
  minLength,
  maxLength,
  pattern: '\\S',
  description: `${minLength} to ${maxLength} characters, not counting white space around them`,
});

function union(parts: readonly Json[]): Json {
  if (parts.every((part) => 'const' in part)) return { type: 'string', enum: parts.map((part) => part['const']) };
  const [first, second] = parts;
  if (parts.length === 2 && first !== undefined && second?.['type'] === 'null' && typeof first['type'] === 'string') {
    const values = first['enum'] as unknown[] | undefined;
    return { ...first, type: [first['type'], 'null'], ...(values === undefined ? {} : { enum: [...values, null] }) };
  }
  return { anyOf: parts };
}
