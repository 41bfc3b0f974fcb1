import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import type { RE2JS } from 're2js';
import { EngineError } from '../errors.js';
import type { RunState } from '../values.js';
import { charge } from '../zen/budget.js';
import { chargeMatch, compilePattern } from '../zen/pattern.js';
import { setEquality } from './equality.js';
import { formats } from './formats.js';
import { guardSchema, type JsonSchema } from './guard.js';

/**
 * Does nothing, or throws EngineError `schema_violation` whose message names the path in the JSON value. Patterns take
 * steps off the run, and throw `limit_string` for texts that are too long for them.
 */
export type SchemaCheck = (value: unknown, run: RunState) => void;

const place = { field: 'content.schema', label: 'schema' };

/** Whose steps the patterns of a schema take: those of the run that is being checked. */
interface Payer {
  run: RunState | undefined;
}

/** A pattern as Ajv uses it. */
class PaidPattern {
  readonly #pattern: RE2JS;
  readonly #payer: Payer;

  constructor(pattern: string, payer: Payer) {
    this.#pattern = compilePattern(
      pattern,
      (message) => new EngineError('model_invalid', `A pattern of the JSON Schema ${message}`, place),
    );
    this.#payer = payer;
  }

  test(text: string): boolean {
    const { run } = this.#payer;
    if (run !== undefined && !chargeMatch(run, this.#pattern, text)) {
      throw new EngineError('limit_string', 'A text is too long for a pattern of the JSON Schema.', place);
    }
    return this.#pattern.matcher(text).find();
  }

  /** By it Ajv tells patterns apart. */
  toString(): string {
    return this.#pattern.pattern();
  }
}

const options: Options = {
  strict: false,
  logger: false,
  // `constructor` and the like are names like any other.
  ownProperties: true,
  // 0.3 is a multiple of 0.1 for people, as it is for ZEN.
  multipleOfPrecision: 12,
  formats: { ...formats },
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
  const payer: Payer = { run: undefined };
  const validate = compileGuarded(guarded, payer);
  return (value, run) => {
    payer.run = run;
    if (validate(value)) return;
    throw new EngineError('schema_violation', messageOf(validate.errors?.[0]), place);
  };
}

function compileGuarded(schema: JsonSchema, payer: Payer): ValidateFunction {
  grammar ??= setEquality(new Ajv({ strict: false, logger: false }), () => undefined);
  if (grammar.validateSchema(schema) !== true) {
    throw new EngineError('model_invalid', `The JSON Schema is wrong at ${messageOf(grammar.errors?.[0])}`, place);
  }
  try {
    // Ajv writes `code` only into standalone modules.
    const regExp = Object.assign((pattern: string) => new PaidPattern(pattern, payer), { code: 'pattern' });
    const pay = (steps: number): void => {
      if (payer.run !== undefined) charge(payer.run, steps);
    };
    // One each: an instance keeps what it has compiled.
    return setEquality(new Ajv({ ...options, code: { regExp } }), pay).compile(schema);
  } catch (error) {
    if (error instanceof EngineError) throw error;
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
