import {
  EngineError,
  failedOutcome,
  readJson,
  stringify,
  type Outcome,
  type Program,
  type Trace,
  type ValueObject,
} from '../engine/index.js';
import { formatJson, isRecord, normalized, parseExactly, LongNumber } from '../json/index.js';
import { Comparison } from './compare/changes.js';
import { textOf, type JsonNumber } from './compare/numbers.js';

/**
 * One of a model's own `tests`: `{input, output}`, with an optional `name`, the variables (`env`) that it runs with, and of
 * a document of DMN the decisions and services whose values are expected (`select`).
 */
export interface ModelTest {
  readonly name: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly env: Readonly<Record<string, unknown>>;
  readonly select?: readonly string[];
}

/** `differences` is empty for a test that passed. */
export interface TestResult {
  readonly name: string;
  readonly passed: boolean;
  readonly differences: readonly Difference[];
}

/** Bytes of a test's trace. Coverage is counted from traces, so they are larger than those of answers. */
const traceBytes = 64 * 1024 * 1024;

/** The tests of a model, and what is wrong with its `tests`. A model without tests has none. */
export function readTests(model: unknown): { tests: ModelTest[]; faults: string[] } {
  const list = isRecord(model) ? model['tests'] : undefined;
  if (list === undefined || list === null) return { tests: [], faults: [] };
  if (!Array.isArray(list)) return { tests: [], faults: ['`tests` must be a list of {"input", "output"}.'] };
  const tests: ModelTest[] = [];
  const faults: string[] = [];
  list.forEach((item: unknown, index) => {
    if (!isRecord(item) || !Object.hasOwn(item, 'input') || !Object.hasOwn(item, 'output')) {
      faults.push(`tests[${index}] needs \`input\` and \`output\`.`);
      return;
    }
    const { name, input, output, env, select } = item;
    if (env !== undefined && !isRecord(env)) faults.push(`tests[${index}].env must be an object.`);
    if (select !== undefined && !isNames(select)) faults.push(`tests[${index}].select must be a list of names.`);
    tests.push({
      name: typeof name === 'string' && name !== '' ? name : `test ${index + 1}`,
      input,
      output,
      env: isRecord(env) ? env : {},
      ...(isNames(select) ? { select } : {}),
    });
  });
  return { tests, faults };
}

/**
 * Runs one test with a trace and compares the whole result.
 * @param deadline `performance.now()` milliseconds
 */
export async function runTest(
  program: Program,
  test: ModelTest,
  deadline: number,
): Promise<{ result: TestResult; trace: Trace }> {
  const outcome = await outcomeOf(program, test, deadline);
  const actual = outcome.status === 'FAILED' ? { error: outcome.message } : parseExactly(stringify(outcome.result));
  // A model may be expected to fail, but only with that error.
  const found = differences(test.output, actual);
  return { result: { name: test.name, passed: found.length === 0, differences: found }, trace: outcome.trace ?? {} };
}

function outcomeOf(program: Program, { input, env, select }: ModelTest, deadline: number): Outcome | Promise<Outcome> {
  try {
    return program.run(readJson(formatJson(input)).value, {
      env: readJson(formatJson(env)).value as ValueObject,
      trace: true,
      ...(select === undefined ? {} : { select }),
      now: Date.now(),
      random: Math.random,
      deadline,
      limits: { ...program.parts.limits, traceBytes },
    });
  } catch (error) {
    // For a number that no run can be given.
    if (!(error instanceof EngineError)) throw error;
    return failedOutcome(error);
  }
}

const isNames = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((name) => typeof name === 'string');

/** A pointer at which two JSON values differ; a member is absent where there is nothing. */
interface Difference {
  /** JSON Pointer. */
  readonly pointer: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** More of them would hide the first ones. */
const maxDifferences = 20;

/** Where two JSON values differ: the first 20 pointers. Empty when they are equal. */
export const differences = (expected: unknown, actual: unknown): Difference[] =>
  comparison
    .changes(expected, actual)
    .slice(0, maxDifferences)
    .map(({ pointer, before, after }) => ({
      pointer,
      ...(before === undefined ? {} : { expected: before }),
      ...(after === undefined ? {} : { actual: after }),
    }));

/**
 * Numbers are compared digit by digit. One exception: of a result with a fraction that no double holds, such as 1 / 3, the
 * nearest double is taken too, for tools in JavaScript can write nothing else into a test.
 */
function isSame(expected: JsonNumber, actual: JsonNumber): boolean {
  if (normalized(textOf(expected)) === normalized(textOf(actual))) return true;
  if (expected instanceof LongNumber || typeof actual === 'number') return false;
  return hasFraction(actual) && Number(actual.text) === expected;
}

const hasFraction = ({ text }: LongNumber): boolean => normalized(text).includes('e-');

const comparison = new Comparison([], isSame);
