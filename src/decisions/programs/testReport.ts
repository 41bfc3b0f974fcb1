import type { Hits, ModelWork } from '../../../workers/models/index.js';
import { Problem } from '../../errors.js';
import { textBytes, type Reservation } from '../../admission/byteBudget.js';
import { requireFinished } from './requireFinished.js';

export interface TestedProgram {
  readonly programId: string;
  readonly workspaceId: string;
  readonly bundle: string;
}

interface TestReport {
  readonly tests: readonly string[];
  readonly passed: number;
  readonly failed: number;
  /** `Coverage` as JSON. */
  readonly coverage: string;
}

interface TestLimits {
  readonly tests: number;
  /** Milliseconds on threads. */
  readonly ms: number;
  readonly length: number;
}

const testLimits: TestLimits = { tests: 10_000, ms: 60_000, length: 16 * 1024 * 1024 };

interface TestCaller {
  readonly gone: () => boolean;
  readonly reservation: Pick<Reservation, 'grow'>;
}

/** Runs a model's own tests, piece by piece. Each goes on with the hits of those before it, so that one sum is kept. */
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
