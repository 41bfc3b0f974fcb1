import { expect } from 'chai';
import { engineNumber } from '../../../workers/engine/index.js';
import { contextOf, ownContext, sharedContext } from '../../../src/runs/recorder/codes.js';

describe('context of a run', () => {
  const small = { programId: '00'.repeat(32), configurationRevision: 0, clock: 0, seed: 0, factRedacted: false };
  const large = {
    programId: '0123456789abcdef'.repeat(4),
    configurationRevision: 2 ** 48 - 1,
    clock: Date.parse('9999-12-31T23:59:59.999Z'),
    seed: -(2 ** 31),
    factRedacted: true,
  };

  for (const context of [small, large, { ...large, seed: 2 ** 31 - 1, factRedacted: false }]) {
    it(`are read as they were written: ${JSON.stringify(context)}`, () => {
      const [shared, own] = [sharedContext(context), ownContext(context)];
      expect([shared.length, own.length]).to.deep.equal([40, 11]);
      expect(contextOf({ shared_context: shared, run_context: own })).to.deep.equal({
        ...context,
        engine: engineNumber,
      });
    });
  }
});
