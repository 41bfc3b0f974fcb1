import type { Hits, ModelWork } from '../../../workers/models/index.js';
import { Problem } from '../../errors.js';
import { textBytes, type Reservation } from '../../admission/byteBudget.js';
import { requireFinished } from './requireFinished.js';

/** A program and all that it can reach. */
export interface TestedProgram {
  readonly programId: string;
  readonly workspaceId: string;
  /** As a run needs it; the tests are those of its root. */
  readonly bundle: string;
}

/** What all tests of a model gave. */
interface TestReport {
  /** JSON texts of `TestResult`. */
  readonly tests: readonly string[];
  readonly passed: number;
  readonly failed: number;
  /** `Coverage` as JSON. */
  readonly coverage: string;
}

/** Limits of the tests that one request runs. */
interface TestLimits {
  readonly tests: number;
  /** Milliseconds on threads. */
  readonly ms: number;
  /** Characters of the report. */
  readonly length: number;
}

const testLimits: TestLimits = { tests: 10_000, ms: 60_000, length: 16 * 1024 * 1024 };

/** On whose behalf tests run. */
interface TestCaller {
  /** True once nobody waits for the report: no further piece begins. */
  readonly gone: () => boolean;
  /** Is charged for what is kept of the report. */
  readonly reservation: Pick<Reservation, 'grow'>;
}

/**
 * Runs a model's own tests, piece by piece. Each piece goes on with the hits of those before it, so that one sum is kept.
 * @throws Problem `engine_timeout` or `engine_failure` where a test was stopped by a limit that ends its thread,
 * `engine_timeout` and `model_too_large` beyond the limits, and `overloaded`
 */
export async function runTests(
  work: ModelWork,
  program: TestedProgram,
  { gone, reservation }: TestCaller,
  limits = testLimits,
): Promise<TestReport> {
  const report = { tests: [] as string[], passed: 0, failed: 0 };
  let hits: Hits = new Uint32Array(0);
  let length = 0;
  let tookMs = 0;
  for (let from = 0; ;) {
    if (gone()) throw new Problem('overloaded', 'The caller went away before all tests had run.');
    const task = { kind: 'test', ...program, from, hits } as const;
    const answer = requireFinished(await work.work(program.workspaceId, task), 'A test of the model was stopped: ');
    if (answer.count > limits.tests) throw tooMany(answer.count, limits.tests);
    const added = answer.tests.reduce((sum, text) => sum + text.length, answer.coverage?.length ?? 0);
    reservation.grow(added * bytesPerCharacter + answer.hits.byteLength - hits.byteLength);
    length += added;
    tookMs += answer.tookMs;
    if (length > limits.length) throw tooLong(limits.length);
    for (const text of answer.tests) report.tests.push(text);
    report.passed += answer.passed;
    report.failed += answer.failed;
    ({ hits } = answer);
    if (answer.next === null) return { ...report, coverage: answer.coverage ?? '' };
    if (tookMs > limits.ms) throw tooSlow(answer.next, answer.count, limits.ms);
    from = answer.next;
  }
}

const bytesPerCharacter = textBytes(' ');

const tooMany = (count: number, most: number): Problem =>
  new Problem('model_too_large', `The model has ${count} tests; at most ${most} can be run at once.`);

const tooLong = (most: number): Problem =>
  new Problem('model_too_large', `The report of the model's tests would have more than ${most} characters.`);

const tooSlow = (done: number, count: number, ms: number): Problem =>
  new Problem('engine_timeout', `${done} of ${count} tests took ${ms} ms on their threads, which is the limit.`);
