import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { Static, TSchema } from 'typebox';
import type { Violation } from '../errors.js';
import { formats as textFormats, type TextFormat } from '../formats.js';
import { isScope } from '../oauth/scopes.js';
import { maxViolations, shortStep } from '../../workers/json/index.js';
import { broken } from '../http/body/violations.js';

/** Of texts in requests. */
const formats: ReadonlyMap<string, TextFormat> = new Map(
  Object.entries({
    ...textFormats,
    scope: { test: isScope, what: 'a scope of this service' },
  }),
);

const options = { verbose: true, strict: true, strictRequired: false, strictTypes: false };
/** Stops at the first violation. */
const quickAjv = new Ajv(options);
const thoroughAjv = new Ajv({ ...options, allErrors: true });
for (const ajv of [quickAjv, thoroughAjv]) extend(ajv);

function extend(ajv: Ajv): void {
  /** `trimmedLength: [min, max]`: characters (code points) without the surrounding white space. */
  ajv.addKeyword({
    keyword: 'trimmedLength',
    type: 'string',
    schemaType: 'array',
    validate: ([min, max]: [number, number], text: string) => {
      const length = Array.from(text.trim()).length;
      return length >= min && length <= max;
    },
  });
  // Only for the OpenAPI document (openapi/schema.ts).
  ajv.addVocabulary(['documentedAs']);
  for (const [name, { test }] of formats) ajv.addFormat(name, test);
}

const none: readonly Violation[] = [];

/**
 * A function that finds the violations of a value, up to a limit, or only the first one of a `large` value. It compiles
 * the schema for the first value that it gets: compiling all of them took a fifth of the time in which a server starts.
 * @param location where the value stands in the request
 */
export function createFinder(
  schema: TSchema,
  location: Violation['in'],
): (value: unknown, large?: boolean) => readonly Violation[] {
  let isValid: ValidateFunction | undefined;
  let findAll: ReturnType<typeof thorough> | undefined;
  return (value, large = false) => {
    isValid ??= quickAjv.compile(schema);
    if (isValid(value)) return none;
    const first = errorsOf(isValid);
    findAll ??= thorough(schema);
    const all = large ? first : findAll(value);
    return (all.length > 0 ? all : first).slice(0, maxViolations).map((error) => toViolation(error, location));
  };
}

/**
 * Finds the violations of an invalid value, up to the limit: ajv can't stop after a number of errors, so it gets a
 * value whose lists and unknown fields are cut. It may find none where the first one lies beyond the cut.
 */
function thorough(schema: TSchema): (value: unknown) => ErrorObject[] {
  const validate = thoroughAjv.compile(schema);
  const known = new Set<string>();
  let items = maxViolations;
  JSON.stringify(schema, (key, part: unknown) => {
    if (key === 'properties') for (const name of Object.keys(part as object)) known.add(name);
    // One more, so that a list that is too long stays so.
    if (key === 'maxItems') items = Math.max(items, (part as number) + 1);
    return part;
  });
  return (value) => (validate(shortened(value, known, items)) ? [] : errorsOf(validate));
}

/** The value with at most `items` items of each list, and as many unknown fields of each object. */
function shortened(value: unknown, known: ReadonlySet<string>, items: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.slice(0, items).map((item) => shortened(item, known, items));
  const short = Object.create(null) as Record<string, unknown>;
  let unknown = 0;
  for (const name in value) {
    if (known.has(name) || ++unknown <= items)
      short[name] = shortened((value as Record<string, unknown>)[name], known, items);
  }
  return short;
}

/** Takes a validator's errors from it, because they refer to the whole value. */
function errorsOf(validate: ValidateFunction): ErrorObject[] {
  const errors = (validate.errors ?? []).filter((error) => !isSaidElsewhere(error));
  validate.errors = null;
  return errors;
}

/** Compiles a body's schema to a check that returns the value, or throws `validation_failed` with every violation found. */
export function createCheck<T extends TSchema>(schema: T): (value: unknown) => Static<T> {
  const find = createFinder(schema, 'body');
  return (value) => {
    const errors = find(value);
    if (errors.length > 0) throw broken(errors);
    return value as Static<T>;
  };
}

/**
 * Errors of a condition or a union repeat those of its parts, and "must be null" is said with the other type (`or
 * null`, below). The only unions of requests are those of `nullable`.
 */
const isSaidElsewhere = ({ keyword, params }: ErrorObject): boolean =>
  keyword === 'if' || keyword === 'anyOf' || (keyword === 'type' && (params as { type: unknown }).type === 'null');

function toViolation(error: ErrorObject, location: Violation['in']): Violation {
  const pointer = pointerOf(error);
  return { in: location, pointer: location === 'body' ? pointer : pointer.slice(1), message: messageOf(error) };
}

function pointerOf({ keyword, params, instancePath }: ErrorObject): string {
  const { additionalProperty, missingProperty } = params as Record<string, unknown>;
  if (keyword === 'additionalProperties') return instancePath + shortStep(String(additionalProperty));
  if (keyword === 'required') return instancePath + shortStep(String(missingProperty));
  return instancePath;
}

function messageOf(error: ErrorObject): string {
  const params = error.params as Record<string, unknown>;
  switch (error.keyword) {
    case 'additionalProperties':
      return 'is not a known field';
    case 'required':
      return 'is required';
    case 'minProperties':
      return 'must have at least one supported field';
    case 'type':
      return `must be ${[params.type].flat().join(' or ')}${error.schemaPath.endsWith('/anyOf/0/type') ? ' or null' : ''}`;
    case 'format':
      return `must be ${formats.get(String(params.format))?.what ?? 'valid'}`;
    case 'trimmedLength': {
      const [min, max] = error.schema as [number, number];
      return `must have ${min} to ${max} characters besides surrounding white space`;
    }
    case 'minLength':
      return `must have at least ${String(params.limit)} character${params.limit === 1 ? '' : 's'}`;
    case 'maxLength':
      return `must have at most ${String(params.limit)} characters`;
    case 'minItems':
      return `must have at least ${String(params.limit)} item${params.limit === 1 ? '' : 's'}`;
    case 'uniqueItems':
      return `must not have an item twice: those at ${String(params.i)} and ${String(params.j)} are the same`;
    case 'maxItems':
      return `must have at most ${String(params.limit)} items`;
    case 'enum':
      return `must be ${(params.allowedValues as unknown[]).join(' or ')}`;
    default:
      return error.message ?? 'is not valid';
  }
}
