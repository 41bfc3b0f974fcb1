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
});
