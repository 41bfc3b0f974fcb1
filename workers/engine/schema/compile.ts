import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { EngineError } from '../errors.js';
import type { Footprint } from '../footprint.js';
import type { RunState } from '../values.js';
import { charge, chargeText } from '../zen/budget.js';
import { chargeMatch, compilePattern, type Pattern } from '../zen/pattern.js';
import { setEquality } from './equality.js';
import { paidFormats } from './formats.js';
import { guardSchema, type JsonSchema } from './guard.js';
import { setLengths } from './lengths.js';

/**
 * Does nothing, or throws EngineError `schema_violation` whose message names the path in the JSON value. Patterns take
 * steps off the run, and throw `limit_string` for texts that are too long for them.
 */
export type SchemaCheck = (value: unknown, run: RunState) => void;

const place = { field: 'content.schema', label: 'schema' };

/** Whose steps the checks of a schema take: those of the run whose value is checked. */
interface Payer {
  run: RunState | undefined;
}

/** A pattern as Ajv uses it. */
class PaidPattern {
  readonly #pattern: Pattern;
  readonly #source: string;
  readonly #payer: Payer;

  constructor(source: string, payer: Payer, footprint: Footprint) {
    this.#pattern = compilePattern(source, {
      refusal: (message) => new EngineError('model_invalid', `A pattern of the JSON Schema ${message}`, place),
      pay: (work) => footprint.addWork(work),
    });
    footprint.add(this.#pattern.bytes);
    this.#source = source;
    this.#payer = payer;
  }

  test(text: string): boolean {
    const { run } = this.#payer;
    if (run !== undefined && !chargeMatch(run, this.#pattern, text)) {
      throw new EngineError('limit_string', 'A text is too long for a pattern of the JSON Schema.', place);
    }
    return this.#pattern.re2.matcher(text).find();
  }

  /** By it Ajv tells patterns apart. */
  toString(): string {
    return this.#source;
  }
}

const options: Options = {
  strict: false,
  logger: false,
  // `constructor` and the like are names like any other.
  ownProperties: true,
  // 0.3 is a multiple of 0.1 for people, as it is for ZEN.
  multipleOfPrecision: 12,
  // Schemas are held against draft 7 by `grammar` below, once for all.
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
};

let grammar: Ajv | undefined;

/** Of an instance of Ajv; of each character of the schema; of each character of the code that Ajv writes. */
const bytesOfInstance = 20_000;
const bytesPerUnit = 6;
const bytesOfCode = 4;

/**
 * Compiles the JSON Schema (draft 7, as text or parsed) of an input or output node.
 * @param footprint of the program that it belongs to
 * @throws EngineError `model_invalid` where it is no schema or not one that is allowed here, `limit_program` where it is
 * too large
 */
export function compileSchema(schema: unknown, footprint: Footprint): SchemaCheck {
  const guarded = guardSchema(schema);
  const payer: Payer = { run: undefined };
  const validate = compileGuarded(guarded, payer, footprint);
  return (value, run) => {
    payer.run = run;
    try {
      if (validate(value)) return;
      throw new EngineError('schema_violation', messageOf(validate.errors?.[0]), place);
    } finally {
      // Neither the run nor what of the value is wrong is to be kept.
      payer.run = undefined;
      validate.errors = null;
    }
  };
}

function compileGuarded(schema: JsonSchema, payer: Payer, footprint: Footprint): ValidateFunction {
  grammar ??= setEquality(new Ajv({ strict: false, logger: false }), () => undefined);
  if (grammar.validateSchema(schema) !== true) {
    throw new EngineError('model_invalid', `The JSON Schema is wrong at ${messageOf(grammar.errors?.[0])}`, place);
  }
  try {
    footprint.add(bytesOfInstance + JSON.stringify(schema).length * bytesPerUnit);
    // One each: an instance keeps what it has compiled.
    return instanceFor(payer, footprint).compile(schema);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const reason = error instanceof Error ? error.message : 'unknown reason';
    throw new EngineError('model_invalid', `The JSON Schema does not compile: ${reason}`, place);
  }
}

function instanceFor(payer: Payer, footprint: Footprint): Ajv {
  const patterns = new Map<string, PaidPattern>();
  const patternOf = (source: string): PaidPattern => {
    const pattern = patterns.get(source) ?? new PaidPattern(source, payer, footprint);
    patterns.set(source, pattern);
    return pattern;
  };
  const pay = (steps: number): void => {
    if (payer.run !== undefined) charge(payer.run, steps);
  };
  const payText = (text: string): void => {
    if (payer.run !== undefined) chargeText(payer.run, text);
  };
  const ajv = new Ajv({
    ...options,
    formats: paidFormats(payText),
    code: {
      // Ajv writes `code` only into standalone modules.
      regExp: Object.assign(patternOf, { code: 'pattern' }),
      process(written: string) {
        footprint.add(written.length * bytesOfCode);
        return written;
      },
    },
  });
  return setLengths(setEquality(ajv, pay), payText);
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
