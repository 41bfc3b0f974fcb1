import { isRecord, stepsOf } from '../../json/index.js';
import { EngineError } from '../errors.js';
import { Decimal } from '../zen/values/decimal.js';
import { exactKeywords, readSchema } from './numbers.js';

/** Levels of a schema's JSON. */
const maxDepth = 40;
/** Values in a schema's JSON. */
const maxSize = 10_000;
/** Schemas that one value can be held against when every `$ref` is followed. */
const maxReach = 50_000;
/** Items that `uniqueItems` may compare with each other: the time grows with the square. */
const maxUnique = 10_000;

/** Keywords by what stands under them; under any other keyword stands data. */
const holdsSchema = new Set([
  'not',
  'if',
  'then',
  'else',
  'additionalProperties',
  'additionalItems',
  'items',
  'contains',
  'propertyNames',
]);
const holdsList = new Set(['allOf', 'anyOf', 'oneOf', 'items']);
const holdsMap = new Set(['properties', 'patternProperties', 'definitions', '$defs', 'dependencies']);
/** Keywords whose schemas judge a part of the value; the others judge the value itself, again. */
const descends = new Set([
  'additionalProperties',
  'additionalItems',
  'items',
  'contains',
  'propertyNames',
  'properties',
  'patternProperties',
]);
/** Keywords for dialects and addresses, which are dropped. */
const addresses = new Set(['$schema', '$id', 'id', '$anchor', '$dynamicAnchor']);
/** The keyword under which the copy holds the targets of references, by number. Draft 7 does not define it. */
const targets = '$defs';
const prefix = `#/${targets}/`;

export type JsonSchema = boolean | Record<string, unknown>;

function refuse(message: string): never {
  throw new EngineError('model_invalid', `The JSON Schema ${message}`, { field: 'content.schema', label: 'schema' });
}

/** A copy in the making. References are the author's pointers in the schema, and numbers in the copy. */
interface Copy {
  readonly root: unknown;
  /** Copies by their originals, so that each part is copied once. */
  readonly made: Map<object, Record<string, unknown>>;
  /** The author's pointers with their indexes in `references`. */
  readonly pointers: Map<string, number>;
  readonly references: string[];
  /** The targets by that index, of references that have been followed. */
  readonly found: Map<number, JsonSchema>;
}

/**
 * Makes an author's JSON Schema fit to be compiled here: parsed, bounded in depth and size, without references to
 * elsewhere and without keywords whose cost a fact could drive up at will. A reference may lead to any part that is a
 * schema; every reachable part is guarded too, and references are renamed, so that Ajv never resolves the author's
 * pointers.
 * @throws EngineError `model_invalid`
 */
export function guardSchema(schema: unknown): JsonSchema {
  const root = typeof schema === 'string' ? parse(schema) : schema;
  measure(root, 0, { left: maxSize });
  const copy: Copy = { root, made: new Map(), pointers: new Map(), references: [], found: new Map() };
  const guarded = guard(copy, root);
  if (typeof guarded === 'boolean') return guarded;
  reachOf(copy, guarded, new Map(), 0);
  return { ...guarded, [targets]: Object.fromEntries(copy.found) };
}

function parse(text: string): unknown {
  try {
    return readSchema(text);
  } catch {
    return refuse('is not JSON.');
  }
}

function measure(json: unknown, depth: number, budget: { left: number }): void {
  if (depth > maxDepth) refuse(`nests deeper than ${maxDepth} levels.`);
  if (--budget.left < 0) refuse(`has more than ${maxSize} values.`);
  if (typeof json !== 'object' || json === null) return;
  for (const part of Object.values(json)) measure(part, depth + 1, budget);
}

/** A copy of a schema without what is not to be followed; refuses what cannot be allowed. */
function guard(copy: Copy, schema: unknown): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  if (!isRecord(schema)) return refuse('must be an object, true or false, as must each schema in it.');
  const before = copy.made.get(schema);
  if (before !== undefined) return before;
  const guarded: Record<string, unknown> = {};
  copy.made.set(schema, guarded);
  for (const [keyword, value] of Object.entries(schema)) {
    // The check of an asynchronous schema gives a promise, which would count as success.
    if (keyword === '__proto__' || keyword === '$async') continue;
    if (addresses.has(keyword) && typeof value === 'string') continue;
    guarded[keyword] = guardKeyword(copy, keyword, value);
  }
  if (schema['uniqueItems'] === true) {
    const most = schema['maxItems'];
    if (typeof most !== 'number' || most > maxUnique)
      refuse(`may use uniqueItems only with a maxItems of at most ${maxUnique}.`);
  }
  return guarded;
}

function guardKeyword(copy: Copy, keyword: string, value: unknown): unknown {
  if (value instanceof Decimal) return exactKeywords.has(keyword) ? value : value.toJSON();
  if (keyword === '$ref') return renamed(copy, value);
  if (Array.isArray(value)) return holdsList.has(keyword) ? value.map((part) => guard(copy, part)) : value;
  if (holdsMap.has(keyword) && isRecord(value)) {
    // A dependency may also be a list of property names.
    const pairs = Object.entries(value).filter(([name]) => name !== '__proto__');
    return Object.fromEntries(pairs.map(([name, part]) => [name, Array.isArray(part) ? part : guard(copy, part)]));
  }
  if (holdsSchema.has(keyword)) return guard(copy, value);
  // Ajv looks for `$id` in all data but that of `const`. Under these keywords an object has no meaning, so it is
  // emptied.
  return isRecord(value) && keyword !== 'const' ? {} : value;
}

/** The copy's reference for the author's. */
function renamed({ pointers, references }: Copy, pointer: unknown): string {
  if (typeof pointer !== 'string' || !(pointer === '#' || pointer.startsWith('#/'))) {
    return refuse('may refer only to parts of itself: a $ref begins with "#/".');
  }
  const index = pointers.get(pointer) ?? references.push(pointer) - 1;
  pointers.set(pointer, index);
  return `${prefix}${index}`;
}

/** What is known of a schema while its references are followed. */
interface Reach {
  /** Undefined while it is being found. */
  size: number | undefined;
  /** How many steps on the way to it descend from a value to a part of the value. */
  readonly descents: number;
}

/**
 * Counts the schemas that a value can be held against. A recursive schema is counted once if it descends into parts of
 * the value on its way back to itself, because values are finite.
 */
function reachOf(copy: Copy, schema: unknown, known: Map<object, Reach>, descents: number): number {
  if (!isRecord(schema)) return 1;
  const before = known.get(schema);
  if (before?.size !== undefined) return before.size;
  if (before !== undefined) {
    if (before.descents === descents) refuse('refers to itself without end.');
    return 1;
  }
  const reach: Reach = { size: undefined, descents };
  known.set(schema, reach);
  let size = 1;
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'definitions' || keyword === '$defs') continue;
    const below = descents + (descends.has(keyword) ? 1 : 0);
    for (const part of partsUnder(copy, keyword, value)) size += reachOf(copy, part, known, below);
    if (size > maxReach) refuse('refers to its parts too often.');
  }
  reach.size = size;
  return size;
}

function partsUnder(copy: Copy, keyword: string, value: unknown): unknown[] {
  if (keyword === '$ref' && typeof value === 'string') return [follow(copy, value)];
  if (Array.isArray(value)) return holdsList.has(keyword) ? value : [];
  if (holdsMap.has(keyword) && isRecord(value)) return Object.values(value);
  return holdsSchema.has(keyword) ? [value] : [];
}

/**
 * What a reference of the copy leads to, guarded when it is first followed: a reference that nothing uses needs no
 * target.
 */
function follow(copy: Copy, reference: string): JsonSchema {
  const index = Number(reference.slice(prefix.length));
  const known = copy.found.get(index);
  if (known !== undefined) return known;
  const target = guard(copy, partAt(copy.root, copy.references[index] ?? ''));
  copy.found.set(index, target);
  return target;
}

/** What stands where a JSON pointer in a fragment leads (RFC 6901, section 6). */
function partAt(root: unknown, pointer: string): unknown {
  let at = root;
  for (const key of stepsOf(decoded(pointer))) {
    at = (isRecord(at) || Array.isArray(at)) && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined;
    if (at === undefined) refuse(`has a $ref to nothing: "${pointer}".`);
  }
  return at;
}

function decoded(pointer: string): string {
  try {
    return decodeURIComponent(pointer);
  } catch {
    return refuse(`has a $ref that is no address: "${pointer}".`);
  }
}
