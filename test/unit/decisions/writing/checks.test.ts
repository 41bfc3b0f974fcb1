import { expect } from 'chai';
import { defaultLimits } from '../../../../workers/engine/index.js';
import { checkModel } from '../../../../workers/models/check.js';
import type { ModelTask, ModelWork } from '../../../../workers/models/index.js';
import { DecisionIndex } from '../../../../src/decisions/decisionIndex.js';
import { createFindDiagnostics } from '../../../../src/decisions/writing/checkContents.js';
import { doubling } from '../../../support/models.js';

/** Checks, each within its own time; one that is not expected has none. */
function within(...limitsMs: number[]): ModelWork {
  return {
    work(_workspaceId, task: ModelTask) {
      if (task.kind !== 'check') throw new Error('only checks are asked for');
      return Promise.resolve(checkModel(task, { limits: defaultLimits, timeLimitMs: limitsMs.shift() ?? -1 })) as never;
    },
  };
}

describe('checks of models', () => {
  it('are remembered once they are whole, and done again where a limit stopped them', async () => {
    const find = createFindDiagnostics(within(-1, Infinity));
    const candidate = { key: 'a.json', document: { hash: 'a', text: JSON.stringify(doubling(2)) } };
    const severities = async (): Promise<unknown[]> => {
      const [found] = await find(
        { workspaceId: 'w' },
        [candidate],
        DecisionIndex.ofWorkspace(() => Promise.resolve([])),
      );
      return (found?.diagnostics ?? []).map(({ diagnostic }) => diagnostic.severity);
    };
    expect(await severities()).to.deep.equal(['unknown']);
    expect(await severities()).to.deep.equal([]);
    expect(await severities()).to.deep.equal([]);
  });

  it('take so many bytes together, however many models they are of', async () => {
    const message = 'm'.repeat(4000);
    let checks = 0;
    // What a model with that many faults is answered.
    const answering: ModelWork = {
      work() {
        checks++;
        const check = { diagnostics: [{ code: 'type_error', message }], references: [], subDecisions: [] };
        return Promise.resolve({ item: null, document: null, check }) as never;
      },
    };
    const find = createFindDiagnostics(answering);
    const index = DecisionIndex.ofWorkspace(() => Promise.resolve([]));
    const checked = async (from: number, count: number): Promise<number> => {
      const before = checks;
      const candidates = Array.from({ length: count }, (_, at) => {
        const hash = String(from + at);
        return { key: `${hash}.json`, document: { hash, text: '{}' } };
      });
      await find({ workspaceId: 'w' }, candidates, index);
      return checks - before;
    };
    expect(await checked(0, 10_000)).to.equal(10_000);
    expect(await checked(9_000, 1_000), 'the last ones are known').to.equal(0);
    expect(await checked(0, 1_000), 'the first ones are not').to.equal(1_000);
  });
});
