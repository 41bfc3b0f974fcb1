import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { Problem } from '../../src/errors.js';
import type { Inquiry } from '../../src/inquiries/inquiries.schema.js';
import { findInquiry } from '../../src/inquiries/inquiries.store.js';
import { createUpdateInquiry, type Update, type Updated } from '../../src/inquiries/update.js';
import { mysqlErrno, mysqlErrors, openDatabase } from '../../src/storage/database.js';
import { idToBytes } from '../../src/storage/ids.js';
import { stopClock, type StoppedClock } from '../support/clock.js';
import { buildClient, buildInquiry, buildTenant, openStore, type Store } from '../support/factories.js';
import { sms } from '../support/inquiries.js';
import { statementsWait } from '../support/locks.js';
import { buildCallback, messagesOf } from '../support/outbox.js';
import { testConfig } from '../support/settings.js';

describe('updates of inquiries, worked together', () => {
  let store: Store;
  let other: Store;
  let tenantId: string;
  let inquiries: Inquiry[];
  let woken = 0;
  let clock: StoppedClock;
  let update: (update: Update) => Promise<Updated>;
  before(() => {
    store = openStore();
    other = openStore();
    update = createUpdateInquiry({ ...store, wakeOutbox: () => (woken += 1) });
  });
  after(async () => {
    await store.close();
    await other.close();
  });
  beforeEach(async () => {
    ({ tenantId } = await buildClient(store));
    inquiries = await Promise.all(Array.from({ length: 12 }, () => buildInquiry(store, tenantId)));
    woken = 0;
    // Whoever waits keeps its patience, however slow the machine is.
    clock = stopClock();
  });
  afterEach(() => clock.release());

  const change = (inquiry: Pick<Inquiry, 'id'>, body: Update['body'], ifMatch?: string): Update => ({
    place: { tenantId, id: inquiry.id },
    body,
    ifMatch,
  });
  const codeOf = (error: unknown): unknown => (error instanceof Problem ? error.code : error);
  /** Each one's new revision, or why it was refused. */
  const outcomes = (updates: readonly Update[], by = update): Promise<unknown[]> =>
    Promise.all(updates.map((each) => by(each).then(({ revision }) => revision, codeOf)));
  const stored = async ({ id }: Inquiry): Promise<Updated> =>
    (await findInquiry({ ...store, connection: store.database }, { tenantId, id }))!;
  /** As another process would that stands still between its UPDATE and its COMMIT. */
  const hold = async ({ id }: Inquiry): Promise<Knex.Transaction> => {
    const held = await other.database.transaction();
    await held('inquiries').where('id', idToBytes(id)).forUpdate().select('id');
    return held;
  };
  const lockWaits = async (): Promise<number> => {
    const [rows] = (await other.database.raw("SHOW GLOBAL STATUS LIKE 'Innodb_row_lock_waits'")) as [
      { Value: string }[],
    ];
    return Number(rows[0]?.Value);
  };

  it('each keeps its own answer: changed, unchanged, absent, of another tenant, overtaken', async () => {
    const [a, b, c] = inquiries as [Inquiry, Inquiry, Inquiry];
    const elsewhere = await buildInquiry(store, await buildTenant(store));
    const found = await outcomes([
      change(a, { externalId: 'a' }),
      change(b, {}),
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
    await outcomes([change(inquiries[0]!, { externalId: 'a' }), change(inquiries[1]!, {})]);
    expect(woken).to.equal(0);
  });

  it('of two processes, every update holds and each has its event, whatever the order', async () => {
    await buildCallback(store, tenantId, 'https://receiver.example/');
    const second = createUpdateInquiry({ ...other, wakeOutbox: () => undefined });
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
    expect((await stuck).revision).to.equal(2);
    expect((await Promise.all(inquiries.map(stored))).map(({ inquiry }) => inquiry.externalId)).to.deep.equal([
      'stuck',
      ...Array<string>(11).fill('free'),
    ]);
  });

  it('two updates of one inquiry that is held elsewhere hold up no update of another', async () => {
    const held = await hold(inquiries[0]!);
    const ended: string[] = [];
    const stuck: Promise<unknown>[] = [];
    for (const externalId of ['first', 'second']) {
      const one = update(change(inquiries[0]!, { externalId })).catch(codeOf);
      stuck.push(one.finally(() => ended.push(externalId)));
      await statementsWait(other.database, /\binquiries\b/i);
    }
    expect(await outcomes(inquiries.slice(1).map((each) => change(each, { externalId: 'free' })))).to.deep.equal(
      Array<number>(11).fill(2),
    );
    expect(ended).to.deep.equal([]);
    await held.rollback();
    expect(await Promise.all(stuck)).to.have.length(2);
    expect((await stored(inquiries[0]!)).inquiry.externalId).to.equal('second');
  });

  it('an inquiry that is held elsewhere is waited for once, and not again for those who came long before', async () => {
    const database = openDatabase(testConfig().databaseUrl, { poolSize: 4, acquireTimeoutMs: 30_000, lockWaitS: 1 });
    const updateBriefly = createUpdateInquiry({ ...store, database, wakeOutbox: () => undefined });
    const held = await hold(inquiries[0]!);
    const before = await lockWaits();
    const first = outcomes([change(inquiries[0]!, { externalId: 'first' })], updateBriefly);
    await statementsWait(other.database, /\binquiries\b/i);
    const late = outcomes([change(inquiries[0]!, { externalId: 'late' })], updateBriefly);
    await clock.pass(3001);
    expect((await first).map(mysqlErrno)).to.deep.equal([mysqlErrors.lockWaitTimeout]);
    expect(await late).to.deep.equal(['dependency_unavailable']);
    expect((await lockWaits()) - before).to.equal(1);
    await held.rollback();
    await database.destroy();
  });

  it('while the database holds everything up, so many wait and the next is refused at once', async () => {
    const held = await other.database.transaction();
    await held.raw('LOCK TABLES inquiries WRITE');
    const [a] = inquiries as [Inquiry];
    const stuck: Promise<unknown>[] = [];
    // Two rounds of their own, as each begins alone.
    for (const externalId of ['first', 'second']) {
      stuck.push(update(change(a, { externalId })));
      await statementsWait(other.database, /\bFROM inquiries\b/i, stuck.length);
    }
    const waiting = Array.from({ length: 1000 }, (_value, index) =>
      update(change(inquiries[1]!, { externalId: `waits ${index}` })),
    );
    const [refused] = await outcomes([change(inquiries[2]!, { externalId: 'refused' })]);
    expect(refused).to.equal('dependency_unavailable');
    await held.raw('UNLOCK TABLES');
    await held.rollback();
    await Promise.all([...stuck, ...waiting]);
    expect((await stored(inquiries[1]!)).revision).to.equal(1001);
    expect((await stored(inquiries[2]!)).revision).to.equal(1);
  });

  it('what cannot be written with the others is written alone, and nothing of it is half-stored', async () => {
    const [a, b] = inquiries as [Inquiry, Inquiry];
    // Past the column's width: what a fault of ours would send, since the API refuses it.
    const found = await Promise.all(
      [change(a, { externalId: 'x'.repeat(300), notifications: [sms()] }), change(b, { externalId: 'b' })].map((each) =>
        update(each).then(
          ({ revision }) => revision,
          (error: unknown) => (error as { code: string }).code,
        ),
      ),
    );
    expect(found).to.deep.equal(['ER_DATA_TOO_LONG', 2]);
    expect((await stored(a)).revision).to.equal(1);
    expect(await messagesOf(store, tenantId)).to.deep.equal([]);
  });
});
