import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { EngineError } from '../errors.js';
import type { Footprint } from '../footprint.js';
import type { RunState } from '../values.js';
import { charge, chargeText } from '../zen/budget.js';
import { chargeMatch, compilePattern, maxPatternLength, tooLongPattern, type Pattern } from '../zen/pattern.js';
import { setEquality } from './equality.js';
import { setFormats } from './formats.js';
import { guardSchema, type JsonSchema } from './guard.js';
import { setLengths } from './lengths.js';

/**
 * Gives the JSON Pointers of the dates in the value, if there are any, or throws EngineError `schema_violation` whose message names the path
 * in the JSON value. Patterns take steps off the run, and throw `limit_string` for texts that are too long for them.
 */
export type SchemaCheck = (value: unknown, run: RunState) => ReadonlySet<string> | undefined;

const place = { field: 'content.schema', label: 'schema' };

/** The run whose value is being checked: the checks take its steps. */
interface Meter {
  run: RunState | undefined;
  /** Absent before the first one. */
  dates: Set<string> | undefined;
}

/** A pattern as Ajv uses it. */
class MeteredPattern {
  readonly #pattern: Pattern;
  readonly #source: string;
  readonly #meter: Meter;

  constructor(source: string, meter: Meter, footprint: Footprint) {
    const refusal = (message: string): EngineError =>
      new EngineError('model_invalid', `A pattern of the JSON Schema ${message}`, place);
    if (source.length > maxPatternLength) throw refusal(tooLongPattern);
    this.#pattern = compilePattern(source, {
      refusal,
      pay: (work) => footprint.addWork(work),
    });
    footprint.add(this.#pattern.bytes);
    this.#source = source;
    this.#meter = meter;
  }

  test(text: string): boolean {
    const { run } = this.#meter;
    if (run !== undefined && !chargeMatch(run, this.#pattern, text)) {
      throw new EngineError('limit_string', 'A text is too long for a pattern of the JSON Schema.', place);
    }
    return this.#pattern.re2.matcher(text).find();
  }

  /** Ajv tells patterns apart by this. */
  toString(): string {
    return this.#source;
  }
}

const options: Options = {
  strict: false,
  logger: false,
  // Inherited properties such as `constructor` do not count as present.
  ownProperties: true,
  // 0.3 counts as a multiple of 0.1, as in ZEN.
  multipleOfPrecision: 12,
  // `compileGuarded` validates schemas against draft 7, by one instance for all of them.
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
};

let grammar: Ajv | undefined;

/** Estimated bytes: of an Ajv instance, of each character of the schema, of each character of generated code. */
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
  const meter: Meter = { run: undefined, dates: undefined };
  const validate = compileGuarded(guarded, meter, footprint);
  return (value, run) => {
    meter.run = run;
    meter.dates = undefined;
    try {
      if (validate(value)) return meter.dates;
      throw new EngineError('schema_violation', messageOf(validate.errors?.[0]), place);
    } finally {
      // Keeps no reference to the run or to parts of the value.
      meter.run = undefined;
      validate.errors = null;
    }
  };
}

function compileGuarded(schema: JsonSchema, meter: Meter, footprint: Footprint): ValidateFunction {
  grammar ??= setEquality(new Ajv({ strict: false, logger: false }), () => undefined);
  if (grammar.validateSchema(schema) !== true) {
    throw new EngineError('model_invalid', `The JSON Schema is wrong at ${messageOf(grammar.errors?.[0])}`, place);
  }
  try {
    footprint.add(bytesOfInstance + JSON.stringify(schema).length * bytesPerUnit);
    // An instance for each schema, because Ajv keeps all that it has compiled.
    return instanceFor(meter, footprint).compile(schema);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    const reason = error instanceof Error ? error.message : 'unknown reason';
    throw new EngineError('model_invalid', `The JSON Schema does not compile: ${reason}`, place);
  }
}

function instanceFor(meter: Meter, footprint: Footprint): Ajv {
  const patterns = new Map<string, MeteredPattern>();
  const patternOf = (source: string): MeteredPattern => {
    const pattern = patterns.get(source) ?? new MeteredPattern(source, meter, footprint);
    patterns.set(source, pattern);
    return pattern;
  };
  const pay = (steps: number): void => {
    if (meter.run !== undefined) charge(meter.run, steps);
  };
  const payText = (text: string): void => {
    if (meter.run !== undefined) chargeText(meter.run, text);
  };
  const ajv = new Ajv({
    ...options,
    code: {
      // Ajv writes `code` only into standalone modules.
      regExp: Object.assign(patternOf, { code: 'pattern' }),
      process(written: string) {
        footprint.add(written.length * bytesOfCode);
        return written;
      },
    },
  });
  const foundDate = (pointer: string): void => void (meter.dates ??= new Set()).add(pointer);
  return setFormats(setLengths(setEquality(ajv, pay), payText), { pay: payText, foundDate });
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
