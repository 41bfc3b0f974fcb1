import { EngineError } from '../errors.js';
import { isRecord } from '../jdm/reader.js';

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
/** They name dialects and base addresses; neither is followed here. */
const dropped = new Set(['$schema', '$id', 'id']);

export type JsonSchema = boolean | Record<string, unknown>;

function refuse(message: string): never {
  throw new EngineError('model_invalid', `The JSON Schema ${message}`, { field: 'content.schema', label: 'schema' });
}

/**
 * Makes an author's JSON Schema fit to be compiled here: parsed, bounded in depth and size, without references to
 * elsewhere and without keywords whose cost a fact could drive up at will.
 * @throws EngineError `model_invalid`
 */
export function guardSchema(schema: unknown): JsonSchema {
  const json = typeof schema === 'string' ? parse(schema) : schema;
  measure(json, 0, { left: maxSize });
  const guarded = guard(json);
  if (typeof guarded !== 'boolean') reachOf(guarded, guarded, new Map(), 0);
  return guarded;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
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
function guard(schema: unknown): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  if (!isRecord(schema)) return refuse('must be an object, true or false, as must each schema in it.');
  const copy: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === '__proto__' || (dropped.has(keyword) && typeof value === 'string')) continue;
    copy[keyword] = guardKeyword(keyword, value);
  }
  if (schema['uniqueItems'] === true) {
    const most = schema['maxItems'];
    if (typeof most !== 'number' || most > maxUnique)
      refuse(`may use uniqueItems only with a maxItems of at most ${maxUnique}.`);
  }
  return copy;
}

function guardKeyword(keyword: string, value: unknown): unknown {
  if (keyword === '$ref') {
    if (typeof value !== 'string' || !(value === '#' || value.startsWith('#/'))) {
      refuse('may refer only to parts of itself: a $ref begins with "#/".');
    }
    return value;
  }
  if (Array.isArray(value)) return holdsList.has(keyword) ? value.map(guard) : value;
  if (holdsMap.has(keyword) && isRecord(value)) {
    // A dependency may also be a list of property names.
    const pairs = Object.entries(value).filter(([name]) => name !== '__proto__');
    return Object.fromEntries(pairs.map(([name, part]) => [name, Array.isArray(part) ? part : guard(part)]));
  }
  return holdsSchema.has(keyword) ? guard(value) : value;
}

/** What is known of a schema while its references are followed. */
interface Reach {
  /** Undefined while it is being found. */
  size: number | undefined;
  /** How often the way to it went from a value to a part of it. */
  readonly descents: number;
}

/**
 * Counts the schemas that a value can be held against. A schema that leads back to itself is counted once if it
 * does so by way of the value's parts, which come to an end.
 */
function reachOf(root: JsonSchema, schema: unknown, known: Map<object, Reach>, descents: number): number {
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
    for (const part of partsUnder(root, keyword, value)) size += reachOf(root, part, known, below);
    if (size > maxReach) refuse('refers to its parts too often.');
  }
  reach.size = size;
  return size;
}

function partsUnder(root: JsonSchema, keyword: string, value: unknown): unknown[] {
  if (keyword === '$ref' && typeof value === 'string') return [target(root, value)];
  if (Array.isArray(value)) return holdsList.has(keyword) ? value : [];
  if (holdsMap.has(keyword) && isRecord(value)) return Object.values(value);
  return holdsSchema.has(keyword) ? [value] : [];
}

/** What a pointer leads to: a schema, and by way of schemas alone. Data may look like one and was not guarded. */
function target(root: JsonSchema, reference: string): unknown {
  let at: unknown = root;
  let kind: Kind | undefined = 'schema';
  for (const step of reference.split('/').slice(1)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    at = (isRecord(at) || Array.isArray(at)) && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined;
    if (at === undefined) refuse(`has a $ref to nothing: "${reference}".`);
    kind = kind === 'parts' ? 'schema' : kindUnder(key, at);
    if (kind === undefined) break;
  }
  // Under a dependency may stand a list of names.
  if (kind === 'schema' && (typeof at === 'boolean' || isRecord(at))) return at;
  return refuse(`has a $ref to what is no schema: "${reference}".`);
}

/** A schema, or several in a list or a map. */
type Kind = 'schema' | 'parts';

/** What stands under a keyword of a schema; undefined where it is data. */
function kindUnder(keyword: string, value: unknown): Kind | undefined {
  if (Array.isArray(value)) return holdsList.has(keyword) ? 'parts' : undefined;
  if (holdsMap.has(keyword)) return isRecord(value) ? 'parts' : undefined;
  return holdsSchema.has(keyword) ? 'schema' : undefined;
}
