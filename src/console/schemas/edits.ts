import { freshName, membersOf } from '../graph/fields.js';

/** A JSON Schema, of which this form changes what it shows, and keeps all else. */
export type Schema = Readonly<Record<string, unknown>>;

/** The types that a person chooses from. */
const types = {
  text: { type: 'string' },
  number: { type: 'number' },
  'whole number': { type: 'integer' },
  'yes or no': { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  'date and time': { type: 'string', format: 'date-time' },
  group: { type: 'object', properties: {} },
  list: { type: 'array', items: {} },
  anything: {},
} as const satisfies Readonly<Record<string, Schema>>;

export type TypeName = keyof typeof types;
export const typeNames = Object.keys(types) as readonly TypeName[];

/** What a schema says beside the type, which another type keeps. */
const annotations = ['title', 'description', 'examples', 'example', 'default', '$comment'];

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);

/** The type's name; null for what has none here, such as alternatives and references: those are edited as JSON. */
export function typeOf(schema: Schema): TypeName | null {
  if (['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'if', 'const'].some((name) => name in schema)) return null;
  const named = Array.isArray(schema['type'])
    ? listOf(schema['type']).filter((each) => each !== 'null')
    : [schema['type']];
  if (named.length > 1) return null;
  const [type] = named;
  if (type === undefined) return 'properties' in schema ? 'group' : 'enum' in schema ? 'text' : 'anything';
  if (type === 'string' && schema['format'] === 'date') return 'date';
  if (type === 'string' && schema['format'] === 'date-time') return 'date and time';
  return typeNames.find((name) => (types[name] as Schema)['type'] === type) ?? null;
}

export function withType(schema: Schema, type: TypeName): Schema {
  const kept = Object.fromEntries(Object.entries(schema).filter(([name]) => annotations.includes(name)));
  return { ...types[type], ...kept };
}

export interface NamedField {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** The fields of a group, in their order. */
export function fieldsOf(schema: Schema): readonly NamedField[] {
  const required = listOf(schema['required']);
  return Object.entries(membersOf(schema['properties'])).map(([name, member]) => ({
    name,
    schema: membersOf(member),
    isRequired: required.includes(name),
  }));
}

/** Puts other fields in place of a group's; required ones that it did not show stay. */
export function withFields(schema: Schema, fields: readonly NamedField[]): Schema {
  const before = new Set(Object.keys(membersOf(schema['properties'])));
  const others = listOf(schema['required']).filter((name) => typeof name !== 'string' || !before.has(name));
  const required = [...fields.filter(({ isRequired }) => isRequired).map(({ name }) => name), ...others];
  const { required: _before, ...rest } = schema;
  const properties = Object.fromEntries(fields.map((field) => [field.name, field.schema] as const));
  return { ...rest, properties, ...(required.length === 0 ? {} : { required }) };
}

/** A name that no field has yet. */
export const freshFieldName = (fields: readonly NamedField[]): string =>
  freshName(
    'field',
    fields.length + 1,
    fields.map(({ name }) => name),
  );

export const itemOf = (schema: Schema): Schema => membersOf(schema['items']);

/** Sets a keyword; undefined takes it away. */
export function withKeyword(schema: Schema, name: string, value: unknown): Schema {
  if (value !== undefined) return { ...schema, [name]: value };
  return Object.fromEntries(Object.entries(schema).filter(([each]) => each !== name));
}

export const choicesOf = (schema: Schema): readonly unknown[] => listOf(schema['enum']);
export const exampleOf = (schema: Schema): unknown => listOf(schema['examples'])[0] ?? schema['example'];

/** The first of the examples; the others stay. */
export function withExample(schema: Schema, example: unknown): Schema {
  const others = listOf(schema['examples']).slice(1);
  const examples = example === undefined ? others : [example, ...others];
  return withKeyword(
    withKeyword(schema, 'example', undefined),
    'examples',
    examples.length === 0 ? undefined : examples,
  );
}
