import type { Operations } from '../api/operations.js';
import type { TestChange } from './changes.js';

/** Changes the tests of a decision's working copy, and nothing else of it. Rejects where somebody else wrote meanwhile. */
export async function writeTests(api: Operations, decisionId: string, change: TestChange): Promise<void> {
  const { decision, tag } = await api.decisionWithTag(decisionId);
  const { content } = await api.version(decisionId, 0);
  const changed = { ...content, tests: change(content.tests ?? []) };
  // A working copy that has errors already may be kept with them.
  await api.updateDecision(decisionId, changed, { force: decision.faults > 0, tag });
}
