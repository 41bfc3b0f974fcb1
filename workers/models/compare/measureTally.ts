import {
  compileExpression,
  EngineError,
  isNumeric,
  numberText,
  parseNumber,
  setKey,
  type Expression,
  type Limits,
  type RunState,
  type Value,
  type ValueObject,
} from '../../engine/index.js';
import { LongNumber } from '../../json/index.js';
import { addTexts } from './numbers.js';
import type { MeasureSettings } from './settings.js';

/** What one expression gave over a number of runs. */
export interface MeasureTally {
  /** Runs for which it was asked. */
  readonly runs: number;
  /** The cases for which the measure was neither null nor false. */
  readonly hits: number;
  /** The cases for which the measure was a number; their sum is a decimal's text. */
  readonly numbers: number;
  readonly sum: string;
  readonly min: number | null;
  readonly max: number | null;
}

export const noMeasure: MeasureTally = { runs: 0, hits: 0, numbers: 0, sum: '0', min: null, max: null };

/** What it gave over the runs of both. */
export function addMeasures(one: MeasureTally, other: MeasureTally): MeasureTally {
  return {
    runs: one.runs + other.runs,
    hits: one.hits + other.hits,
    numbers: one.numbers + other.numbers,
    sum: addTexts(one.sum, other.sum),
    min: extreme(Math.min, one.min, other.min),
    max: extreme(Math.max, one.max, other.max),
  };
}

const extreme = (pick: (a: number, b: number) => number, a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : pick(a, b);

/** Steps of one expression for one run. */
const maxSteps = 1_000_000;

/** An expression of a measure, ready to be asked. */
export class Measure {
  readonly #expression: Expression;
  readonly #limits: Limits;

  /** @throws EngineError for an expression that cannot be compiled */
  constructor({ expression }: MeasureSettings, limits: Limits) {
    this.#limits = { ...limits, steps: maxSteps };
    this.#expression = compileExpression(expression, { limits: this.#limits });
  }

  /**
   * Asks it for one run. What fails gives nothing.
   * @param result JSON, parsed exactly
   * @throws EngineError `timeout` once the deadline has passed
   */
  of(
    fact: Value,
    result: unknown,
    { now, random, deadline }: Pick<RunState, 'now' | 'random' | 'deadline'>,
  ): MeasureTally {
    const limits = this.#limits;
    const run = { limits, steps: limits.steps, deadline, now, random };
    try {
      const data = { fact, result: valueOfJson(result) };
      return tallyOf(this.#expression({ data, reference: null, nodes: null, env: {}, run }));
    } catch (error) {
      const isTimeout = error instanceof EngineError && error.code === 'timeout';
      if (!(error instanceof EngineError || error instanceof RangeError) || isTimeout) throw error;
      return { ...noMeasure, runs: 1 };
    }
  }
}

function tallyOf(value: Value): MeasureTally {
  const counted = { ...noMeasure, runs: 1, hits: value === null || value === false ? 0 : 1 };
  if (!isNumeric(value)) return counted;
  const sum = numberText(value);
  const number = Number(sum);
  return { ...counted, numbers: 1, sum, min: number, max: number };
}

/** Exactly parsed JSON as a value of the engine; what is beyond ZEN's numbers is the nearest double. */
function valueOfJson(json: unknown): Value {
  if (json instanceof LongNumber) return parseNumber(json.text) ?? Number(json.text);
  if (typeof json !== 'object' || json === null) return json as Value;
  if (Array.isArray(json)) return json.map(valueOfJson);
  const object: ValueObject = {};
  for (const [key, item] of Object.entries(json)) setKey(object, key, valueOfJson(item));
  return object;
}
