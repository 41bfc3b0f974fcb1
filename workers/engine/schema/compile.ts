import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { RE2JS } from 're2js';
import { EngineError } from '../errors.js';
import { formats } from './formats.js';
import { guardSchema, type JsonSchema } from './guard.js';

/** Does nothing, or throws EngineError `schema_violation` whose message names the path in the JSON value. */
export type SchemaCheck = (value: unknown) => void;

const place = { field: 'content.schema', label: 'schema' };

/** Patterns are matched by RE2, in linear time. Ajv writes `code` only into standalone modules. */
const linearPattern = Object.assign((pattern: string) => RE2JS.compile(pattern), { code: 'RE2JS.compile' });

const options: Options = {
  strict: false,
  logger: false,
  // `constructor` and the like are names like any other.
  ownProperties: true,
  // 0.3 is a multiple of 0.1 for people, as it is for ZEN.
  multipleOfPrecision: 12,
  formats: { ...formats },
  code: { regExp: linearPattern },
  // Schemas are held against draft 7 by `grammar` below, once for all.
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
};

let grammar: Ajv | undefined;

/**
 * Compiles the JSON Schema (draft 7, as text or parsed) of an input or output node.
 * @throws EngineError `model_invalid` where it is no schema or not one that is allowed here
 */
export function compileSchema(schema: unknown): SchemaCheck {
  const guarded = guardSchema(schema);
  const validate = compileGuarded(guarded);
  return (value) => {
    if (validate(value)) return;
    throw new EngineError('schema_violation', messageOf(validate.errors?.[0]), place);
  };
}

function compileGuarded(schema: JsonSchema): ValidateFunction {
  grammar ??= new Ajv({ strict: false, logger: false });
  if (grammar.validateSchema(schema) !== true) {
    throw new EngineError('model_invalid', `The JSON Schema is wrong at ${messageOf(grammar.errors?.[0])}`, place);
  }
  try {
    // One each: an instance keeps what it has compiled.
    return new Ajv(options).compile(schema);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown reason';
    throw new EngineError('model_invalid', `The JSON Schema does not compile: ${reason}`, place);
  }
}

/** `/customer/age: must be integer`. */
function messageOf(error: ErrorObject | undefined): string {
  if (error === undefined) return 'the value breaks the schema';
  const { instancePath, message = 'is wrong', params } = error;
  const path = instancePath === '' ? 'the value' : instancePath;
  const allowed: unknown = params['allowedValues'];
  const choice = Array.isArray(allowed) ? ` (${JSON.stringify(allowed).slice(0, 200)})` : '';
  return `${path}: ${message}${choice}`;
}
