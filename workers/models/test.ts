import { EngineError } from '../engine/index.js';
import type { Programs } from '../programs.js';
import type { Bundle } from '../protocol.js';
import { CoverageCounter } from './coverage.js';
import { formatJson, parseExactly } from '../json/index.js';
import { readTests, runTest, type ModelTest, type TestResult } from './modelTests.js';
import type { TestAnswer, TestTask } from './tasks.js';

/** Milliseconds after which no further test is begun: the rest is for another task. */
const budgetMs = 20;
/** Characters of results after which no further test is begun. */
const budgetLength = 1024 * 1024;

/** Runs tests of a model, each with a trace. @param deadline of all together, `performance.now()` milliseconds */
export async function testModel(task: TestTask, programs: Programs, deadline: number): Promise<TestAnswer> {
  const began = performance.now();
  const { manifest, contents } = JSON.parse(task.bundle) as Bundle;
  const text = contents[manifest.entries[0]?.content ?? ''] ?? 'null';
  const model: unknown = JSON.parse(text);
  const { tests, faults } = readTests(parseExactly(text, model));
  const program = programs.get(task.programId) ?? programs.load(task.programId, task);
  const counter = new CoverageCounter(model, task.hits);
  const report = new Report();
  if (task.from === 0) for (const fault of faults) report.add(unreadable(fault));
  // A large model is read again for each piece, so a piece tests for at least as long as it read.
  const end = performance.now() + Math.max(budgetMs, performance.now() - began);
  let next = task.from;
  for (; next < tests.length && performance.now() < end && report.length < budgetLength; next++) {
    const test = tests[next] as ModelTest;
    if (program instanceof EngineError) {
      report.add(failed(test, program));
      continue;
    }
    const { result, trace } = await runTest(program, test, deadline);
    report.add(result);
    counter.count(trace);
  }
  const done = next === tests.length;
  return {
    count: tests.length,
    ...{ tests: report.tests, passed: report.passed, failed: report.tests.length - report.passed },
    hits: counter.hits,
    coverage: done ? JSON.stringify(counter.coverage) : null,
    next: done ? null : next,
    tookMs: performance.now() - began,
  };
}

class Report {
  readonly tests: string[] = [];
  passed = 0;
  length = 0;

  add(result: TestResult): void {
    const text = formatJson(result);
    this.tests.push(text);
    this.length += text.length;
    if (result.passed) this.passed++;
  }
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
