import { expect } from 'chai';
import { Problem } from '../../src/errors.js';
import { createUpdateInquiry, type Updated } from '../../src/inquiries/update.js';
import { buildInquiry, buildTenant, testActor as actor, useStore } from '../support/factories.js';

describe('updates of inquiries that wait', () => {
  const store = useStore();

  it('of one tenant, however many inquiries it has, leave room for those of another', async () => {
    const update = createUpdateInquiry({ ...store, maxPerMinute: null, wakeOutbox: () => undefined });
    const [many, other] = [await buildTenant(store), await buildTenant(store)];
    const inquiries: string[] = [];
    for (let count = 0; count < 5; count++) inquiries.push((await buildInquiry(store, many)).id);
    const { id: another } = await buildInquiry(store, other);
    /** What it is answered, or refused with. */
    const change = (tenantId: string, id: string): Promise<Updated | Error> =>
      update({ actor, ref: { tenantId, id }, change: () => ({ fields: {} }) }).catch(
        (error: unknown) => error as Error,
      );
    // All come in one turn of the event loop.
    const all = Array.from({ length: 1000 }, (_, at) => change(many, inquiries[at % 5] ?? ''));
    expect(await change(other, another)).to.include({ replayed: false });
    const refused = (await Promise.all(all)).filter((answer) => answer instanceof Error);
    for (const error of refused)
      expect(error).to.be.instanceOf(Problem).with.property('code', 'dependency_unavailable');
  });
});
