import { expect } from 'chai';
import { renewJob, settleJob } from '../../src/jobs/jobs.store.js';
import { leasedIds, takeLease, unlessLeased } from '../../src/jobs/leases.store.js';
import { idFromBytes, idToBytes, newId } from '../../src/storage/ids.js';
import { openScratchStore, type Store } from '../support/factories.js';
import { jobsLeft, makeDue } from '../support/jobs.js';

describe('a lease', () => {
  let store: Store;
  beforeEach(async () => {
    store = await openScratchStore();
  });
  afterEach(() => store.close());

  it('is one holder’s until it ends or is given back, and then another’s, whom the first does not disturb', async () => {
    const { database } = store;
    const of = { kind: 'writing', id: newId() } as const;
    const first = await takeLease(database, of, 60_000);
    if (first === undefined) return expect.fail('nobody has it');
    expect(await takeLease(database, of, 60_000)).to.equal(undefined);
    const free = async (own?: typeof first): Promise<boolean> =>
      (
        await database
          .select(database.raw('1'))
          .from(database.raw('(SELECT 1) AS one'))
          .where(unlessLeased(database, of, own))
      ).length === 1;
    expect([await free(), await free(first)]).to.deep.equal([false, true]);
    expect(await renewJob(database, first, 60_000)).to.equal(true);
    await makeDue(database, 'writing');
    expect([await free(), await leasedIds(database, 'writing')]).to.deep.equal([true, []]);
    const second = await takeLease(database, of, 60_000);
    expect(await renewJob(database, first, 60_000)).to.equal(false);
    await settleJob(database, first, { kind: 'over' });
    expect((await leasedIds(database, 'writing')).map(idFromBytes)).to.deep.equal([of.id]);
    if (second !== undefined) await settleJob(database, second, { kind: 'over' });
    expect([await free(), await jobsLeft(database, 'writing')]).to.deep.equal([true, 0]);
  });

  it('is not had by one whose statement MySQL ends as a deadlock, and by the other', async () => {
    const { database } = store;
    const of = { kind: 'writing', id: newId() } as const;
    const [one, other] = [await database.transaction(), await database.transaction()];
    // Both hold the gap that the row goes into.
    for (const each of [one, other])
      await each('jobs')
        .where({ kind: of.kind, id: idToBytes(of.id) })
        .forUpdate();
    try {
      const taken = await Promise.all([takeLease(one, of, 60_000), takeLease(other, of, 60_000)]);
      expect(taken.filter((lease) => lease !== undefined)).to.have.length(1);
    } finally {
      await Promise.all([one.rollback(), other.rollback()]);
    }
  });
});
