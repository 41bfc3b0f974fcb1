import { EngineError } from '../engine/index.js';
import type { Programs } from '../programs.js';
import type { Bundle } from '../protocol.js';
import { CoverageCounter } from './coverage.js';
import { formatJson, parseExactly } from './exactJson.js';
import { readTests, runTest, type ModelTest, type TestResult } from './modelTests.js';
import type { TestAnswer, TestTask } from './tasks.js';

/** Milliseconds after which no further test is begun: the rest is for another task. */
const budgetMs = 20;

/** Runs tests of a model, each with a trace. @param deadline of all together, `performance.now()` milliseconds */
export async function testModel(task: TestTask, programs: Programs, deadline: number): Promise<TestAnswer> {
  const { manifest, contents } = JSON.parse(task.bundle) as Bundle;
  const text = contents[manifest.entries[0]?.content ?? ''] ?? 'null';
  const model: unknown = JSON.parse(text);
  const { tests, faults } = readTests(parseExactly(text, model));
  const program = programs.get(task.programId) ?? programs.load(task.programId, task);
  const counter = new CoverageCounter(model);
  const results: TestResult[] = task.from === 0 ? faults.map(unreadable) : [];
  let next = task.from;
  for (const end = performance.now() + budgetMs; next < tests.length && performance.now() < end; next++) {
    const test = tests[next] as ModelTest;
    if (program instanceof EngineError) {
      results.push(failed(test, program));
      continue;
    }
    const { result, trace } = await runTest(program, test, deadline);
    results.push(result);
    counter.count(trace);
  }
  const passed = results.filter((result) => result.passed).length;
  return {
    tests: results.map((result) => formatJson(result)),
    passed,
    failed: results.length - passed,
    coverage: counter.coverage,
    next: next < tests.length ? next : null,
  };
}

const unreadable = (message: string): TestResult => ({
  name: 'tests',
  passed: false,
  differences: [{ pointer: '', actual: { error: message } }],
});

const failed = ({ name, output }: ModelTest, error: EngineError): TestResult => ({
  name,
  passed: false,
  differences: [{ pointer: '', expected: output, actual: { error: error.message } }],
});
