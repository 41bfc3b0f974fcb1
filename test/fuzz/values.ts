import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { scopes } from '../../src/oauth/scopes.js';
import type { OpenApi } from '../support/openapi.js';
import { resolved, type Schema } from './document.js';
import type { Random } from './random.js';
import { plainText } from './texts.js';

/** What values are made with. */
export interface Making {
  readonly document: OpenApi;
  readonly random: Random;
  /** Stands in texts now and then, to be looked for where it must not be. */
  readonly mark: string;
  /** A value for a field of that name, which the schema alone can't tell, such as an id that exists. */
  readonly supply: (name: string) => unknown;
}

/** A value that the schema allows, often one at its edge. @param name of the field that it is for */
export function makeValue(making: Making, given: Schema, name = ''): unknown {
  const { random } = making;
  const schema = resolved(making.document, given);
  if (Array.isArray(schema['enum'])) return random.pick(schema['enum'] as unknown[]);
  if (Array.isArray(schema['anyOf'])) return makeValue(making, random.pick(schema['anyOf'] as Schema[]), name);
  const type = Array.isArray(schema['type']) ? random.pick(schema['type'] as string[]) : schema['type'];
  switch (type) {
    case 'null':
      return null;
    case 'boolean':
      return random.oneIn(2);
    case 'integer': {
      const supplied = making.supply(name);
      const { minimum = -Infinity } = schema as { minimum?: number };
      return typeof supplied === 'number' && supplied >= minimum ? supplied : makeInteger(random, schema);
    }
    case 'number':
      return making.supply(name) ?? makeNumber(random, schema);
    case 'string':
      return making.supply(name) ?? makeText(making, schema);
    case 'array':
      return makeList(making, schema, name);
    case 'object':
      return makeObject(making, schema, name);
    default:
      return makeJson(random);
  }
}

function makeInteger(random: Random, schema: Schema): number {
  const { minimum = -1000, maximum = 1000 } = schema as { minimum?: number; maximum?: number };
  return random.oneIn(3) ? random.pick([minimum, maximum]) : random.int(minimum, Math.min(maximum, minimum + 100));
}

function makeNumber(random: Random, schema: Schema): number {
  const { exclusiveMinimum, minimum = exclusiveMinimum ?? -1000, maximum = 1000 } = schema as Record<string, number>;
  return minimum + ((maximum - minimum) * random.int(1, 8)) / 8;
}

function makeText({ random, mark }: Making, schema: Schema): string {
  const { format, pattern } = schema;
  const { minLength = 0, maxLength = 60 } = schema as { minLength?: number; maxLength?: number };
  if (format === 'uuid') return randomUUID();
  if (format === 'scope') return random.pick(scopes);
  if (format === 'date-time' || format === 'timestamp') return new Date(Date.now() + 3_600_000).toISOString();
  if (format === 'uri')
    return `https://${random.pick(['a', 'shop', 'x'.repeat(60)])}.example/${random.int(0, 9)}?q=%20`;
  if (format === 'email') return `${random.pick(['ann', 'a.b+c', 'x'.repeat(64)])}@mail.example`;
  if (typeof pattern === 'string' && pattern !== '\\S')
    return random.pick(matching(pattern).filter(({ length }) => length >= minLength && length <= maxLength));
  return plainText(random, minLength, maxLength, mark);
}

const known = new Map<string, readonly string[]>();

function matching(pattern: string): readonly string[] {
  const samples = known.get(pattern) ?? fc.sample(fc.stringMatching(new RegExp(pattern)), { numRuns: 50, seed: 1 });
  known.set(pattern, samples);
  return samples;
}

/** Of a list that may be longer. */
const longestList = 30;

function makeList(making: Making, schema: Schema, name: string): unknown[] {
  const { items = {}, minItems = 0, maxItems = 5, uniqueItems = false } = schema as ListSchema;
  const length = making.random.oneIn(10) ? Math.min(maxItems, longestList) : making.random.int(minItems, minItems + 2);
  const list = Array.from({ length }, () => makeValue(making, items, name));
  return uniqueItems ? [...new Map(list.map((item) => [JSON.stringify(item), item])).values()] : list;
}

interface ListSchema {
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
}

function makeObject(making: Making, schema: Schema, name: string): unknown {
  const { random } = making;
  const fields = Object.entries((schema['properties'] ?? {}) as Record<string, Schema>);
  const [named] = Object.values((schema['patternProperties'] ?? {}) as Record<string, Schema>);
  if (named !== undefined) return { x: makeValue(making, named) };
  if (fields.length === 0) return making.supply(name) ?? { x: makeJson(random) };
  const required = (schema['required'] ?? []) as string[];
  const least = schema['minProperties'] === undefined ? [] : [random.pick(fields)[0]];
  const chosen = fields.filter(([field]) => required.includes(field) || least.includes(field) || random.oneIn(2));
  const made = Object.fromEntries(chosen.map(([field, part]) => [field, makeValue(making, part, field)]));
  for (const rule of (schema['allOf'] ?? []) as Conditional[]) {
    if (!applies(rule, made)) continue;
    for (const [field, part] of Object.entries(rule.then.properties)) made[field] = makeValue(making, part, field);
  }
  return made;
}

interface Conditional {
  readonly if: { readonly properties: Record<string, { readonly const: unknown }> };
  readonly then: { readonly properties: Record<string, Schema> };
}

const applies = (rule: Conditional, made: Record<string, unknown>): boolean =>
  Object.entries(rule.if.properties).every(([field, { const: wanted }]) => made[field] === wanted);

const edges = [0, -0, 1, -1, 0.1, 1.5, 255, 2 ** 31, 2 ** 53, -(2 ** 63), 1e21, 5e-324, 1.7976931348623157e308];

/** Any JSON, not large. */
export function makeJson(random: Random, depth = 0): unknown {
  const kind = random.int(0, depth > 3 ? 3 : 5);
  if (kind === 0) return random.pick([null, true, false]);
  if (kind === 1) return random.pick(edges);
  if (kind < 4) return random.pick(['', 'a', '2024-02-29', '12:30', '1d', 'é', '10', '[1..3]', 'x'.repeat(300)]);
  const length = random.int(0, 3);
  if (kind === 4) return Array.from({ length }, () => makeJson(random, depth + 1));
  const names = ['x', 'y', 'a b', '', 'toString', 'constructor', '$env', '$', '0', 'x.y'];
  return Object.fromEntries(Array.from({ length }, () => [random.pick(names), makeJson(random, depth + 1)]));
}
