import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { Problem } from '../../src/errors.js';
import type { Inquiry, UpdateInquiry } from '../../src/inquiries/inquiries.schema.js';
import { findInquiry, type StoredInquiry } from '../../src/inquiries/inquiries.store.js';
import { patching } from '../../src/inquiries/change.js';
import { createUpdateInquiry, type Update, type Updated } from '../../src/inquiries/update.js';
import { asProblem } from '../../src/storage/database.js';
import { idToBytes } from '../../src/storage/ids.js';
import { stopClock, type StoppedClock } from '../support/clock.js';
import { buildClient, buildInquiry, buildTenant, useStore } from '../support/factories.js';
import { sms } from '../support/inquiries.js';
import { buildCallback, messagesOf } from '../support/outbox.js';

describe('updates of inquiries at the same time', () => {
  const store = useStore();
  const other = useStore();
  let tenantId: string;
  let inquiries: Inquiry[];
  let woken = 0;
  let clock: StoppedClock;
  let update: (update: Update) => Promise<Updated>;
  before(() => {
    update = createUpdateInquiry({ ...store, maxPerMinute: null, wakeOutbox: () => (woken += 1) });
  });
  beforeEach(async () => {
    ({ tenantId } = await buildClient(store));
    inquiries = await Promise.all(Array.from({ length: 12 }, () => buildInquiry(store, tenantId)));
    woken = 0;
    // Whoever waits keeps its patience, however slow the machine is.
    clock = stopClock();
  });
  afterEach(() => clock.release());

  const change = (inquiry: Pick<Inquiry, 'id'>, body: UpdateInquiry, ifMatch?: string): Update => ({
    actor: store.actor,
    ref: { tenantId, id: inquiry.id },
    change: patching(body),
    ifMatch,
  });
  const codeOf = (error: unknown): unknown => {
    const problem = asProblem(error);
    return problem instanceof Problem ? problem.code : problem;
  };
  const revisionOf = ({ etag }: Updated): number => Number(/\d+/.exec(etag)?.[0]);
  /** Each one's new revision, or why it was refused. */
  const outcomes = (updates: readonly Update[], by = update): Promise<unknown[]> =>
    Promise.all(updates.map((each) => by(each).then(revisionOf, codeOf)));
  const stored = async ({ id }: Inquiry): Promise<StoredInquiry> =>
    (await findInquiry({ ...store, connection: store.database }, { tenantId, id }))!;
  /** As another process would that stands still between its UPDATE and its COMMIT. */
  const hold = async ({ id }: Inquiry): Promise<Knex.Transaction> => {
    const held = await other.database.transaction();
    await held('inquiries').where('id', idToBytes(id)).forUpdate().select('id');
    return held;
  };
  it('each keeps its own answer: changed, unchanged, absent, of another tenant, overtaken', async () => {
    const [a, b, c] = inquiries as [Inquiry, Inquiry, Inquiry];
    const elsewhere = await buildInquiry(store, await buildTenant(store));
    const found = await outcomes([
      change(a, { externalId: 'a' }),
      change(b, { redirect: {} }),
      change({ id: randomUUID() }, { externalId: 'x' }),
      change(elsewhere, { externalId: 'x' }),
      change(c, { externalId: 'x' }, '"7"'),
      change({ id: a.id.toUpperCase() }, { skipConsentMessages: true, notifications: [sms()] }),
      change(a, { externalId: 'late' }, '"1"'),
    ]);
    const gone = 'inquiry_not_found';
    expect(found).to.deep.equal([2, 1, gone, gone, 'precondition_failed', 3, 'precondition_failed']);
    expect(await stored(a)).to.have.property('revision', 3);
    expect((await stored(a)).inquiry).to.include({ externalId: 'a', skipConsentMessages: true });
    expect(await messagesOf(store, tenantId)).to.have.length(1);
    expect(woken).to.equal(1);
  });

  it('does not wake the outbox for what queues nothing', async () => {
    await outcomes([change(inquiries[0]!, { externalId: 'a' }), change(inquiries[1]!, { redirect: {} })]);
    expect(woken).to.equal(0);
  });

  it('of two processes, every update holds and each has its event, whatever the order', async () => {
    await buildCallback(store, tenantId, 'https://receiver.example/');
    const second = createUpdateInquiry({ ...other, maxPerMinute: null, wakeOutbox: () => undefined });
    const updates = (mark: string): Update[] =>
      Array.from({ length: 96 }, (_value, index) =>
        change(
          inquiries[(index * 5) % 12]!,
          index % 3 === 0
            ? { redirect: { onSuccess: `https://a.example/${mark}${index}` } }
            : { externalId: `${mark}${index}` },
        ),
      );
    const found = await Promise.all([outcomes(updates('a')), outcomes(updates('b').reverse(), second)]);
    expect(found.flat().filter((each) => typeof each !== 'number')).to.deep.equal([]);
    const revisions = await Promise.all(inquiries.map(async (each) => (await stored(each)).revision));
    expect(revisions).to.deep.equal(inquiries.map(() => 1 + (2 * 96) / 12));
    expect(await messagesOf(store, tenantId)).to.have.length(2 * 96);
  });

  it('one inquiry that is held elsewhere holds up no other', async () => {
    const held = await hold(inquiries[0]!);
    const stuck = update(change(inquiries[0]!, { externalId: 'stuck' }));
    await outcomes(inquiries.slice(1).map((each) => change(each, { externalId: 'free' })));
    await held.rollback();
    expect(revisionOf(await stuck)).to.equal(2);
    expect((await Promise.all(inquiries.map(stored))).map(({ inquiry }) => inquiry.externalId)).to.deep.equal([
      'stuck',
      ...Array<string>(11).fill('free'),
    ]);
  });

  it('many updates of inquiries that are held elsewhere take no connection from updates of others', async () => {
    const held = await Promise.all(inquiries.slice(0, 3).map(hold));
    let ended = 0;
    const stuck = inquiries
      .slice(0, 3)
      .flatMap((each) => ['first', 'second', 'third'].map((externalId) => update(change(each, { externalId }))))
      .map((one) => one.finally(() => ended++));
    expect(await outcomes(inquiries.slice(3).map((each) => change(each, { externalId: 'free' })))).to.deep.equal(
      Array<number>(9).fill(2),
    );
    expect(ended).to.equal(0);
    await Promise.all(held.map((each) => each.rollback()));
    await Promise.all(stuck);
    const last = await Promise.all(inquiries.slice(0, 3).map(stored));
    expect(last.map(({ inquiry }) => inquiry.externalId)).to.deep.equal(['third', 'third', 'third']);
  });

  it('an inquiry that stays held is given up after 3 s, as contention; those behind it are not tried again', async () => {
    const held = await hold(inquiries[0]!);
    const first = outcomes([change(inquiries[0]!, { externalId: 'first' })]);
    const behind = outcomes([change(inquiries[0]!, { externalId: 'behind' })]);
    // The first one has its turn by then.
    await clock.pass(0);
    await clock.pass(3001);
    expect(await first).to.deep.equal(['dependency_unavailable']);
    expect(await behind).to.deep.equal(['dependency_unavailable']);
    await held.rollback();
    expect(await stored(inquiries[0]!)).to.have.property('revision', 1);
  });

  it('so many may wait for one inquiry; the next is refused at once, and others have room', async () => {
    const held = await hold(inquiries[0]!);
    let refused = 0;
    const waiting = Array.from({ length: 500 }, (_value, index) =>
      update(change(inquiries[0]!, { externalId: `waits ${index}` })).catch((error: unknown) => {
        expect(error).to.have.property('code', 'dependency_unavailable');
        refused++;
      }),
    );
    expect(await outcomes([change(inquiries[1]!, { externalId: 'free' })])).to.deep.equal([2]);
    const atOnce = refused;
    expect(atOnce).to.be.above(0);
    await held.rollback();
    await Promise.all(waiting);
    expect(refused, 'later').to.equal(atOnce);
    expect(await stored(inquiries[0]!)).to.have.nested.property('inquiry.externalId', `waits ${499 - atOnce}`);
    expect(await stored(inquiries[0]!)).to.have.property('revision', 501 - atOnce);
  });

  it('what cannot be written leaves nothing half-stored, and harms no other', async () => {
    const [a, b] = inquiries as [Inquiry, Inquiry];
    // Past the column's width: what a fault of ours would send, since the API refuses it.
    const found = await Promise.all(
      [change(a, { externalId: 'x'.repeat(300), notifications: [sms()] }), change(b, { externalId: 'b' })].map((each) =>
        update(each).then(revisionOf, (error: unknown) => (error as { code: string }).code),
      ),
    );
    expect(found).to.deep.equal(['ER_DATA_TOO_LONG', 2]);
    expect((await stored(a)).revision).to.equal(1);
    expect(await messagesOf(store, tenantId)).to.deep.equal([]);
  });
});
