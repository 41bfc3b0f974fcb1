import type { Coverage, ModelWork, TestAnswer } from '../../../workers/models/index.js';
import { stoppedWork } from './stoppedWork.js';

/** A program and all that it can reach. */
export interface TestedProgram {
  readonly programId: string;
  readonly workspaceId: string;
  /** As a run needs it; the tests are those of its root. */
  readonly bundle: string;
}

/** What all tests of a model gave; `tests` are JSON texts of `TestResult`. */
export type TestReport = Omit<TestAnswer, 'next'>;

/**
 * Runs a model's own tests, piece by piece, and adds up their coverage.
 * @throws Problem `engine_timeout` or `engine_failure` where a test was stopped by a limit that ends its thread, and
 * `overloaded`
 */
export async function runTests(work: ModelWork, program: TestedProgram): Promise<TestReport> {
  const answers: TestAnswer[] = [];
  for (let from: number | null = 0; from !== null;) {
    const answer: TestAnswer = await testsFrom(work, program, from);
    answers.push(answer);
    from = answer.next;
  }
  const sum = (count: (answer: TestAnswer) => number): number => answers.reduce((all, one) => all + count(one), 0);
  return {
    tests: answers.flatMap(({ tests }) => tests),
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    coverage: added(answers.map(({ coverage }) => coverage)),
  };
}

async function testsFrom(work: ModelWork, program: TestedProgram, from: number): Promise<TestAnswer> {
  const answer = await work.work(program.workspaceId, { kind: 'test', ...program, from });
  if (!('reason' in answer)) return answer;
  throw stoppedWork({ ...answer, message: `A test of the model was stopped: ${answer.message}` });
}

/** Adds up coverage: each piece lists all places of the model, in the same order. */
function added(pieces: readonly Coverage[]): Coverage {
  const [first = { nodes: [], rules: [] }, ...others] = pieces;
  return {
    nodes: first.nodes.map((node, index) => ({
      ...node,
      hits: others.reduce((hits, { nodes }) => hits + (nodes[index]?.hits ?? 0), node.hits),
    })),
    rules: first.rules.map((rule, index) => ({
      ...rule,
      hits: others.reduce((hits, { rules }) => hits + (rules[index]?.hits ?? 0), rule.hits),
    })),
  };
}
