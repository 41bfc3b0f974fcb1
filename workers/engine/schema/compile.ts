import { Ajv, type AnySchema, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { valueAt } from '../../json/index.js';
import { EngineError } from '../errors.js';
import type { Footprint } from '../footprint.js';
import { measured } from '../jdm/jsonSize.js';
import type { RunState, Value } from '../values.js';
import { charge, chargeText } from '../zen/budget.js';
import { chargeMatch, compilePattern, maxPatternLength, tooLongPattern, type Pattern } from '../zen/pattern.js';
import { stringify, toJson } from '../zen/values/json.js';
import { equality } from './equality.js';
import { format } from './formats.js';
import { guardSchema, type JsonSchema } from './guard.js';
import { setKeywords, type Checked } from './keywords.js';
import { lengths } from './lengths.js';
import { exactJson, jsonForAjv, numbers } from './numbers.js';

/**
 * Gives the JSON Pointers of the dates in the value, if there are any, or throws EngineError `schema_violation` whose
 * message names the path in the JSON value. Patterns take steps off the run, and throw `limit_string` for texts that are
 * too long for them.
 * @param isPlain the value is JSON of a bounded size, as `JSON.parse` gave it
 */
export type SchemaCheck = (value: Value, run: RunState, isPlain?: boolean) => ReadonlySet<string> | undefined;

const location = { field: 'content.schema', label: 'schema' };

/** The run whose value is being checked: the checks take its steps. */
interface Meter {
  run: RunState | undefined;
  /** Absent before the first one. */
  dates: Set<string> | undefined;
  /** The value with all digits of its numbers; absent where Ajv sees them too. */
  exact: Value | undefined;
}

/** A pattern as Ajv uses it. */
class MeteredPattern {
  readonly #pattern: Pattern;
  readonly #source: string;
  readonly #meter: Meter;

  constructor(source: string, meter: Meter, footprint: Footprint) {
    const refusal = (message: string): EngineError =>
      new EngineError('model_invalid', `A pattern of the JSON Schema ${message}`, location);
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
      throw new EngineError('limit_string', 'A text is too long for a pattern of the JSON Schema.', location);
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
  // `compileGuarded` validates schemas against draft 7, by one instance for all of them.
  meta: false,
  validateSchema: false,
  addUsedSchema: false,
};

let grammar: Ajv | undefined;

/** Estimated bytes: of an Ajv instance, of each character of the schema, of each character of generated code. */
const bytesOfInstance = 10_000;
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
  const meter: Meter = { run: undefined, dates: undefined, exact: undefined };
  const validate = compileGuarded(guarded, meter, footprint);
  return (value, run, isPlain = false) => {
    const isJson = isPlain || measured(value, run).plain;
    meter.run = run;
    meter.dates = undefined;
    meter.exact = isJson ? undefined : exactJson(value);
    try {
      if (validate(isJson ? value : jsonForAjv(value))) return meter.dates;
      throw new EngineError('schema_violation', messageOf(validate.errors?.[0]), location);
    } finally {
      // Keeps no reference to the run or to parts of the value.
      meter.run = undefined;
      meter.exact = undefined;
      validate.errors = null;
    }
  };
}

const tooManyProperties =
  'The JSON Schema has too many properties, or nests them too deeply: declare those that are checked, and leave out the others.';

function compileGuarded(schema: JsonSchema, meter: Meter, footprint: Footprint): ValidateFunction {
  grammar ??= setKeywords(new Ajv({ strict: false, logger: false }), equality({ pay: () => undefined }), {
    exact: (json) => json,
  });
  if (grammar.validateSchema(toJson(schema as Value) as AnySchema) !== true) {
    throw new EngineError('model_invalid', `The JSON Schema is wrong at ${messageOf(grammar.errors?.[0])}`, location);
  }
  try {
    footprint.add(bytesOfInstance + JSON.stringify(schema).length * bytesPerUnit);
    // An instance for each schema, because Ajv keeps all that it has compiled.
    return instanceFor(meter, footprint).compile(schema);
  } catch (error) {
    if (error instanceof EngineError) throw error;
    // Ajv's code is nested by a level for each property, and the thread's stack is what bounds that.
    if (error instanceof RangeError) throw new EngineError('limit_program', tooManyProperties, location);
    const reason = error instanceof Error ? error.message : 'unknown reason';
    throw new EngineError('model_invalid', `The JSON Schema does not compile: ${reason}`, location);
  }
}

function instanceFor(meter: Meter, footprint: Footprint): Ajv {
  const patterns = new Map<string, MeteredPattern>();
  const patternOf = (source: string): MeteredPattern => {
    const pattern = patterns.get(source) ?? new MeteredPattern(source, meter, footprint);
    patterns.set(source, pattern);
    return pattern;
  };
  const checked: Checked = {
    pay(steps) {
      if (meter.run !== undefined) charge(meter.run, steps);
    },
    payText(text) {
      if (meter.run !== undefined) chargeText(meter.run, text);
    },
    foundDate: (pointer) => void (meter.dates ??= new Set()).add(pointer),
    // A text is the same, and a property's name has its object's pointer.
    exact: (json, pointer) =>
      meter.exact === undefined || typeof json === 'string' ? json : (valueAt(meter.exact, pointer) as Value),
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
  return setKeywords(ajv, [...equality(checked), ...lengths(checked), format(checked), ...numbers], checked);
}

/** `/customer/age: must be integer`. */
function messageOf(error: ErrorObject | undefined): string {
  if (error === undefined) return 'the value breaks the schema';
  const { instancePath, message = 'is wrong', params } = error;
  const path = instancePath === '' ? 'the value' : instancePath;
  const allowed: unknown = params['allowedValues'];
  const choice = Array.isArray(allowed) ? ` (${stringify(allowed as Value).slice(0, 200)})` : '';
  return `${path}: ${message}${choice}`;
}
