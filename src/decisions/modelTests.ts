import { fromJson, stringify, type Program, type ValueObject } from '../../workers/engine/index.js';
import { parseExactly, withDoubles } from '../exactJson.js';
import { differences } from './differences.js';

/** One of a model's own `tests`: `{input, output}`, with an optional `name` and the variables (`env`) that it runs with. */
export interface ModelTest {
  readonly name: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly env: Readonly<Record<string, unknown>>;
}

/** `failures` is empty for a test that passed; each is a line for people. */
export interface TestResult {
  readonly name: string;
  readonly passed: boolean;
  readonly failures: readonly string[];
}

/** Milliseconds that one test may run. */
const timeoutMs = 5000;

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
    const { name, input, output, env } = item;
    if (env !== undefined && !isRecord(env)) faults.push(`tests[${index}].env must be an object.`);
    tests.push({
      name: typeof name === 'string' && name !== '' ? name : `test ${index + 1}`,
      input,
      output,
      env: isRecord(env) ? env : {},
    });
  });
  return { tests, faults };
}

/** Runs one test and compares the whole result; the run sees doubles, as runs of requests do. */
export async function runTest(program: Program, test: ModelTest): Promise<TestResult> {
  const outcome = await program.run(fromJson(withDoubles(test.input)), {
    env: fromJson(withDoubles(test.env)) as ValueObject,
    trace: false,
    now: Date.now,
    random: Math.random,
    deadline: performance.now() + timeoutMs,
  });
  const failures =
    outcome.status === 'FAILED'
      ? [`the run failed: ${outcome.message}`]
      : differences(test.output, parseExactly(stringify(outcome.result)));
  return { name: test.name, passed: failures.length === 0, failures };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
