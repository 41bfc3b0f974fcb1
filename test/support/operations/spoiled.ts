import { document, type Schema } from './operations.js';

/** A body with one fault, and where the answer must say that it is. */
export interface Spoiled {
  readonly what: string;
  readonly pointer: string;
  readonly body: unknown;
  /** What is said of the place; any text where it is left out. */
  readonly message?: RegExp;
}

/** A fault of one value, told by its schema. */
interface Fault {
  readonly what: string;
  readonly value: unknown;
  /** Within the value. */
  readonly at?: readonly string[];
  readonly message?: RegExp;
}

const isOf: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  integer: Number.isInteger,
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
  array: Array.isArray,
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

/** Lists and texts that are longer are left to what is special to a route. */
const longest = 5000;
const odd = ['', ' ', 'ä', '\u0001', 'no such thing#', '//', 'x y', '1A-', '$', 'x'.repeat(600)];

function* faultsOf(schema: Schema): Generator<Fault> {
  const types = typesOf(schema);
  for (const value of types.length === 0 ? [] : [7.5, 'text', true, null, ['list'], { of: 'object' }]) {
    if (types.some((type) => isOf[type]?.(value) === true)) continue;
    yield { what: `${JSON.stringify(value)} for ${types.join(' or ')}`, value, message: /^must be / };
  }
  for (const value of [...longer(schema), ...mismatched(schema).slice(0, 1)]) yield { what: `'${value}'`, value };
  const { minLength = 0, enum: words, format, minItems = 0, maxItems = longest } = schema;
  if (minLength > 0) yield { what: 'an empty text', value: '' };
  if (words !== undefined || format !== undefined) yield { what: 'another word', value: 'no such word' };
  if (types.includes('string')) yield { what: 'a NUL', value: 'a\0b' };
  for (const value of beyond(schema)) yield { what: String(value), value };
  if (minItems > 0) yield { what: 'too few items', value: [] };
  if (maxItems < 60) yield { what: 'too many items', value: Array.from({ length: maxItems + 1 }, (_, at) => at) };
  if (types.includes('object')) yield* faultsOfObject(schema);
}

const typesOf = ({ type = [] }: Schema): readonly string[] => (typeof type === 'string' ? [type] : type);

const longer = ({ maxLength = longest }: Schema): string[] => (maxLength < longest ? ['x'.repeat(maxLength + 1)] : []);

const mismatched = ({ pattern = '' }: Schema): string[] => odd.filter((text) => !new RegExp(pattern, 'u').test(text));

const beyond = ({ minimum, exclusiveMinimum, maximum }: Schema): number[] => [
  ...(minimum === undefined ? [] : [minimum - 1]),
  ...(exclusiveMinimum === undefined ? [] : [exclusiveMinimum]),
  ...(maximum === undefined ? [] : [maximum + 1]),
];

function* faultsOfObject(schema: Schema): Generator<Fault> {
  const { additionalProperties, patternProperties, required = [], minProperties } = schema;
  if (additionalProperties === false) {
    // A name that fits no pattern, where any that fits may stand.
    const name = patternProperties === undefined ? 'unknownField' : '';
    yield { what: 'an unknown field', value: { [name]: 1 }, at: [name], message: /^is not a known field$/ };
  }
  if (minProperties !== undefined) yield { what: 'no field at all', value: {} };
  for (const name of required as string[])
    yield { what: `no ${name}`, value: {}, at: [name], message: /^is required$/ };
}

function resolved(schema: Schema): Schema {
  const reference = schema.$ref;
  if (reference === undefined) return schema;
  return document.components['schemas']?.[reference.split('/').at(-1) ?? ''] ?? {};
}

/** Each body that breaks a JSON schema at one of its places, whatever else is missing there. */
export function* spoiledOf(schema: Schema, path: readonly string[] = []): Generator<Spoiled> {
  const whole = resolved(schema);
  for (const { what, value, at = [], message } of faultsOf(whole)) {
    const pointer = [...path, ...at].map((step) => `/${step}`).join('');
    const body = within(path, value);
    yield { what: `${what} at ${path.join('/') || 'the whole'}`, pointer, body, ...(message && { message }) };
  }
  for (const [name, part] of Object.entries(whole.properties ?? {})) {
    yield* spoiledOf(part, [...path, name]);
  }
  for (const part of Object.values(whole.patternProperties ?? {})) yield* spoiledOf(part, [...path, 'named']);
  if (whole.items !== undefined) yield* spoiledOf(whole.items, [...path, '0']);
}

/** Where a JSON schema has objects with fields that may have others too. */
export function* openPlaces(schema: Schema, path = ''): Generator<string> {
  const whole = resolved(schema);
  const named = whole.properties ?? whole.patternProperties;
  if (named !== undefined && whole.additionalProperties !== false) yield path;
  for (const [name, part] of Object.entries(whole.properties ?? {})) yield* openPlaces(part, `${path}/${name}`);
  if (whole.items !== undefined) yield* openPlaces(whole.items, `${path}/0`);
}

/** The value at its place, in nothing but what leads there. */
const within = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, step) => (step === '0' ? [inner] : { [step]: inner }), value);

/** Texts that are no value of a parameter with this schema. */
export const textsAgainst = (schema: Schema): string[] => [
  ...(schema.type === 'integer' ? ['1.5', 'x', '', '-1'] : []),
  ...(schema.type === 'boolean' ? ['yes', '1', ''] : []),
  ...(schema.format === 'uuid' ? ['not-a-uuid', '1', '%00'] : []),
  ...(schema.enum === undefined ? [] : ['no such word', '']),
  ...((schema.minLength ?? 0) > 0 ? [''] : []),
  ...beyond(schema).map(String),
  ...longer(schema),
  ...mismatched(schema),
];
