import type { Operations } from '../api/operations.js';
import type { Model, TestReport } from '../api/types.js';
import { each } from '../parts/each.js';
import { differencesOf } from './differences.js';
import { howOf } from './how.js';
import { Reaching } from './reaching.js';
import type { TestOutcome } from './failedTests.js';

/**
 * Runs tests on a draft, until the signal.
 *
 * @param onTried is told of each, in whatever order they end
 * @returns what they reach; null where one of them could not be run
 */
export async function tryTests(
  api: Operations,
  { key, model, signal }: { readonly key: string; readonly model: Model; readonly signal: AbortSignal },
  onTried: (index: number, outcome: TestOutcome) => void,
): Promise<TestReport['coverage'] | null> {
  const reaching = new Reaching();
  const failed: number[] = [];
  await each(model.tests ?? [], async (test, at) => {
    if (isOver(signal)) return;
    try {
      const { result, trace } = await api.evaluateDraft(key, model, JSON.stringify(test.input), signal);
      const differences = differencesOf(test.output, result);
      if (trace) reaching.see(model, trace);
      onTried(at, { passed: differences.length === 0, differences, failure: null, how: howOf(model, trace) });
    } catch (failure) {
      failed.push(at);
      if (!isOver(signal)) onTried(at, { passed: false, differences: [], failure });
    }
  });
  return failed.length === 0 && !isOver(signal) ? reaching.coverage(model) : null;
}

/** It may have ended meanwhile. */
const isOver = ({ aborted }: AbortSignal): boolean => aborted;
