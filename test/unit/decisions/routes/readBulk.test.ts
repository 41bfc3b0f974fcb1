import { expect } from 'chai';
import { createModelWork, type ModelTask, type ModelWork } from '../../../../workers/models/index.js';
import { defaultRunLimits } from '../../../../workers/protocol.js';
import { readBulk } from '../../../../src/decisions/routes/readBulk.js';
import { Problem } from '../../../../src/errors.js';
import { doubling } from '../../../support/models.js';

/** Refuses the first check, as a full pool does: that item is read after the others. */
function refusingOnce(work: ModelWork): ModelWork {
  let hasRefused = false;
  return {
    work<K extends ModelTask['kind']>(workspaceId: string, task: Extract<ModelTask, { kind: K }>) {
      if (task.kind !== 'check' || hasRefused) return work.work<K>(workspaceId, task);
      hasRefused = true;
      return Promise.reject(new Problem('overloaded', 'Too many runs are waiting.'));
    },
  };
}

describe('a body of many models', () => {
  it('has the later of two items with one key at fault, also where the first was read after it', async () => {
    const item = { key: 'a', content: doubling(2) };
    const body = Buffer.from(JSON.stringify({ decisions: [item, item, { ...item, key: 'b' }, item] }));
    const work = refusingOnce(createModelWork(defaultRunLimits));
    const error = await readBulk(work, 'w', body).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Problem);
    const { errors = [] } = (error as Problem).options;
    expect(errors.map(({ pointer, message }) => [pointer, message])).to.deep.equal([
      ['/decisions/3/key', 'is the key of item 1 too'],
      ['/decisions/1/key', 'is the key of item 0 too'],
    ]);
  });
});
