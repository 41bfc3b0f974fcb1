import { expect } from 'chai';
import type { Problem } from '../../../src/errors.js';
import { createRates } from '../../../src/rates/rates.js';

describe('limits of a client and of a workspace', () => {
  it('take nothing of the client for what the workspace refuses, here and in Redis', async () => {
    const givenBack: string[] = [];
    /** As Redis, in which another process has used up the workspace's tokens. */
    const cache = {
      take: (key: string) => Promise.resolve(key.endsWith('full') ? 500 : 0),
      giveBack: (key: string) => Promise.resolve(givenBack.push(key)),
    };
    for (const shared of [null, cache]) {
      const rates = createRates(shared, () => 0);
      const client = { kind: 'client', id: 'client' } as const;
      rates.setLimit('client', { perSecond: 1, burst: 2 });
      for (const workspace of ['full', 'other', 'third']) rates.setLimit(workspace, { perSecond: 1, burst: 1 });
      const outcome = async (workspace: string): Promise<string> =>
        (await rates.admit(client, workspace)?.then(
          () => 'done',
          (problem: unknown) => (problem as Problem).message.split(' ')[1] ?? '',
        )) ?? 'none';
      if (shared === null) expect(await outcome('full')).to.equal('done');
      for (let n = 0; n < 5; n++) expect(await outcome('full')).to.equal('workspace');
      expect(await outcome('other')).to.equal('done');
      expect(await outcome('third')).to.equal(shared === null ? 'client' : 'done');
    }
    expect(givenBack).to.deep.equal(Array(5).fill('verdict:rate:client'));
  });
});
