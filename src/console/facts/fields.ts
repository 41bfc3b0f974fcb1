import { clockPattern } from '../../../workers/cells/clock.js';
import { isObject, stepsOf, membersOf, textOf, valueAt, type Fields as Schema } from '../graph/fields.js';
import type { Model } from '../api/types.js';

/** How a value is asked for. `any` is what no schema narrows down: it is typed as JSON, or as bare text. */
export type Kind = 'text' | 'date' | 'time' | 'number' | 'truth' | 'choice' | 'object' | 'list' | 'any';

/** A place in a fact, as its form asks for it. */
export interface Field {
  readonly kind: Kind;
  readonly isRequired: boolean;
  readonly isWhole: boolean;
  /** It may be a text as well as something else. */
  readonly mayBeText: boolean;
  /** What its author says of it. */
  readonly description: string;
  readonly example: unknown;
  /** How long, how little and how much, as inputs call it. */
  readonly limits: { readonly maxLength?: number; readonly min?: number; readonly max?: number };
  /** Of `choice`. */
  readonly choices: readonly unknown[];
  /** Of `object`, by their names in the order of the schema. */
  readonly fields: ReadonlyMap<string, Field>;
  /** Of `list`. */
  readonly item: Field | null;
}

/** A schema may name itself; deeper than this a form asks for JSON. */
const maxLevels = 12;

/** The form of a JSON Schema. What has no form of its own (alternatives, references elsewhere) is `any`. */
export const fieldOf = (schema: unknown): Field => read(schema, { root: schema, isRequired: true, level: 0 });

interface Surroundings {
  /** Where local references lead. */
  readonly root: unknown;
  readonly isRequired: boolean;
  readonly level: number;
}

function read(given: unknown, surroundings: Surroundings): Field {
  const schema = surroundings.level > maxLevels ? {} : resolved(given, surroundings.root);
  const kind = kindOf(schema);
  const { description, title, examples, example } = schema;
  const inner = { root: surroundings.root, level: surroundings.level + 1 };
  return {
    kind,
    isRequired: surroundings.isRequired,
    isWhole: typesOf(schema).includes('integer'),
    mayBeText: kind === 'any' && typesOf(schema).includes('string'),
    description: [description, title].find((text) => typeof text === 'string') ?? '',
    example: Array.isArray(examples)
      ? (examples as readonly unknown[])[0]
      : (example ?? schema['default'] ?? formats.get(String(schema['format']))),
    limits: limitsOf(schema),
    choices: kind === 'choice' ? choicesOf(schema) : [],
    fields: kind === 'object' ? fieldsIn(schema, inner) : new Map(),
    item: kind === 'list' ? read(schema['items'] ?? {}, { ...inner, isRequired: true }) : null,
  };
}

/** What an input is told of them. */
function limitsOf({ maxLength, minimum, maximum }: Schema): Field['limits'] {
  const numbers = Object.entries({ maxLength, min: minimum, max: maximum });
  return Object.fromEntries(numbers.filter(([, limit]) => typeof limit === 'number'));
}

/** How texts of a format look. */
const formats: ReadonlyMap<string, string> = new Map(
  Object.entries({
    time: '18:30:00',
    'date-time': '2026-01-31T18:30:00',
    duration: 'P1Y2M or P3DT4H',
  }),
);

function fieldsIn(schema: Schema, inner: Omit<Surroundings, 'isRequired'>): ReadonlyMap<string, Field> {
  const { properties, required } = schema;
  const names = new Set(Array.isArray(required) ? (required as readonly unknown[]) : []);
  const members = isObject(properties) ? Object.entries(properties) : [];
  return new Map(members.map(([name, member]) => [name, read(member, { ...inner, isRequired: names.has(name) })]));
}

/** Follows a local reference, and what is left of alternatives without `null`. */
function resolved(given: unknown, root: unknown): Schema {
  let schema = given;
  for (let steps = 0; steps < maxLevels; steps++) {
    if (!isObject(schema)) return {};
    const { $ref: reference, ...own } = schema;
    const { anyOf, oneOf, allOf, ...rest } = own;
    const others = [anyOf, oneOf, allOf].find(Array.isArray) as readonly unknown[] | undefined;
    const left = others?.filter((other) => !(isObject(other) && other['type'] === 'null')) ?? [];
    if (typeof reference === 'string') schema = { ...own, ...found(reference, root) };
    else if (left.length === 1 && isObject(left[0])) schema = { ...rest, ...left[0] };
    else return schema;
  }
  return {};
}

/** What a JSON Pointer within the schema leads to. */
const found = (reference: string, root: unknown): Schema =>
  /^#(?:$|\/)/.test(reference) ? membersOf(valueAt(root, stepsOf(decodeURIComponent(reference.slice(1))))) : {};

const typesOf = ({ type }: Schema): readonly unknown[] =>
  (Array.isArray(type) ? (type as readonly unknown[]) : [type]).filter((each) => each !== 'null');

const kinds: ReadonlyMap<string, Kind> = new Map(
  Object.entries<Kind>({
    string: 'text',
    number: 'number',
    integer: 'number',
    boolean: 'truth',
    object: 'object',
    array: 'list',
  }),
);

function kindOf(schema: Schema): Kind {
  if (Array.isArray(schema['enum']) || 'const' in schema) return 'choice';
  if (['anyOf', 'oneOf', 'allOf'].some((name) => name in schema)) return 'any';
  const types = typesOf(schema);
  const [type] = types;
  if (type === undefined) return isObject(schema['properties']) ? 'object' : 'any';
  if (types.length > 1 && !types.every((each) => each === 'number' || each === 'integer')) return 'any';
  const { format, pattern } = schema;
  if (type === 'string' && pattern === clockPattern) return 'time';
  if (type === 'string' && (format === 'date' || format === 'time')) return format;
  const kind = (typeof type === 'string' ? kinds.get(type) : undefined) ?? 'any';
  // Nothing is known of its members: they can be typed as JSON alone.
  return kind === 'object' && !isObject(schema['properties']) ? 'any' : kind;
}

/** Where null is one of several, it is what is not given. */
const choicesOf = (schema: Schema): readonly unknown[] =>
  Array.isArray(schema['enum'])
    ? (schema['enum'] as readonly unknown[]).filter((each, _at, all) => each !== null || all.length === 1)
    : [schema['const']];

/** Of which nothing is known. */
export const noField: Field = { ...fieldOf({}), isRequired: false };

/** Whether an author has said what a model takes (of its request) or gives (of its response); else it is read out of its nodes. */
export const isDeclared = ({ nodes, document }: Model, type: 'inputNode' | 'outputNode'): boolean =>
  document !== undefined ||
  nodes.some((node) => node.type === type && textOf(membersOf(node.content)['schema']) !== '');
