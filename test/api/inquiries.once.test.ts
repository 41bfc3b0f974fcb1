import { expect } from 'chai';
import type { Inquiry } from '../../src/inquiries/inquiries.schema.js';
import { updateKeys } from '../../src/inquiries/answers.store.js';
import { idToBytes } from '../../src/storage/ids.js';
import { bootApp, type TestApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { stopClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { buildClient, buildInquiry, type BuiltClient, useStore } from '../support/factories.js';
import type { Answer } from '../support/http.js';
import { patchAs, pathOf, sms } from '../support/inquiries.js';
import { messagesOf } from '../support/outbox.js';

describe('PATCH of an inquiry with an Idempotency-Key', () => {
  let app: TestApp;
  let second: TestApp;
  const store = useStore();
  let client: BuiltClient;
  let inquiry: Inquiry;
  before(async () => {
    [app, second] = await Promise.all([bootApp(), bootApp()]);
  });
  after(() => Promise.all([app.stop(), second.stop()]));
  beforeEach(async () => {
    client = await buildClient(store);
    inquiry = await buildInquiry(store, client.tenantId);
  });

  const body = { externalId: 'a', notifications: [sms()] };
  const patch = (key: string, given: object = body, headers = {}, at = app, id = inquiry.id): Promise<Answer> =>
    patchAs(at.baseUrl, client)(pathOf(id), given, { 'Idempotency-Key': key, ...headers });
  const messages = (): ReturnType<typeof messagesOf> => messagesOf(store, client.tenantId);
  const reused = (answer: Answer, id = inquiry.id): void =>
    expectProblem(answer, 'idempotency_key_reused', {
      instance: pathOf(id),
      errors: [{ in: 'header', pointer: 'Idempotency-Key', message: 'was used with another path or body' }],
    });

  it('a repeat gets the first answer again and sends nothing twice, whatever happened in between', async () => {
    const first = await patch('k', body, { 'If-Match': '"1"' });
    expect(first.status, first.text).to.equal(200);
    expect(first.headers).to.not.have.property('idempotency-replayed');
    await patch('other', { externalId: 'b' });
    const again = await patch('k', body, { 'If-Match': '"1"' }, second);
    expect([again.status, again.text]).to.deep.equal([200, first.text]);
    expect(again.headers).to.include({
      'idempotency-replayed': 'true',
      etag: first.headers['etag'],
      'cache-control': 'no-store',
    });
    expect(await messages()).to.have.length(1);
    expect((await patch('new', { redirect: {} })).body).to.include({ externalId: 'b' });
  });

  it('many at once in two processes: one changes, the others get its answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_value, index) => patch('k', body, {}, index % 2 === 0 ? app : second)),
    );
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).to.have.length(1);
    expect(await messages()).to.have.length(1);
  });

  it('another body or inquiry with the key is refused; another client has keys of its own', async () => {
    await patch('k');
    reused(await patch('k', { externalId: 'b' }));
    const other = await buildInquiry(store, client.tenantId);
    reused(await patch('k', body, {}, app, other.id), other.id);
    const absent = '00000000-0000-7000-8000-000000000000';
    expectProblem(await patch('k', body, {}, app, absent), 'inquiry_not_found', { instance: pathOf(absent) });
    const stranger = await buildClient(store, { tenantId: client.tenantId });
    const own = await patchAs(app.baseUrl, stranger)(
      pathOf(inquiry.id),
      { externalId: 'c' },
      { 'Idempotency-Key': 'k' },
    );
    expect(own.body, own.text).to.include({ externalId: 'c' });
    expectProblem(await patch('a b'), 'validation_failed', {
      instance: pathOf(inquiry.id),
      errors: [{ in: 'header', pointer: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }],
    });
  });

  it('what was refused leaves the key free', async () => {
    const instance = pathOf(inquiry.id);
    expectProblem(await patch('k', body, { 'If-Match': '"7"' }), 'precondition_failed', { instance });
    expect((await patch('k', body, { 'If-Match': '"1"' })).status).to.equal(200);
    expect(await messages()).to.have.length(1);
  });

  it('is forgotten after 24 hours, and its answer is sealed until then', async () => {
    await patch('k');
    const rows = (): Promise<Record<string, unknown>[]> =>
      store.database('inquiry_answers').where('tenant_id', idToBytes(client.tenantId));
    // By the clock of the database.
    const pass = async (seconds: number): Promise<void> => {
      const expiry = store.database.raw('TIMESTAMPADD(SECOND, ?, expires_at)', [-seconds]);
      await store
        .database('inquiry_answers')
        .where('tenant_id', idToBytes(client.tenantId))
        .update('expires_at', expiry);
    };
    const [kept] = await rows();
    expect(String(kept?.['answer'])).to.not.include(inquiry.id).and.to.not.include('+358');
    await pass(24 * 60 * 60 - 5);
    expect((await patch('k')).headers['idempotency-replayed']).to.equal('true');
    await pass(5);
    const later = await patch('k', { externalId: 'b' });
    expect(later.body, later.text).to.include({ externalId: 'b' });
    await pass(24 * 60 * 60);
    await updateKeys.prune(store.database, 1000);
    expect(await rows()).to.deep.equal([]);
  });

  it('is kept for 24 hours by the database’s clock, wherever the clock of a server stands', async () => {
    const first = await patch('k');
    const clock = stopClock();
    try {
      clock.step(2 * 24 * 60 * 60 * 1000);
      await updateKeys.prune(store.database, 1000);
    } finally {
      clock.release();
    }
    expect((await patch('k')).text).to.equal(first.text);
    expect(await messages()).to.have.length(1);
  });
});

describe('OUTBOX_MAX_PER_MINUTE', () => {
  let apps: TestApp[];
  const store = useStore();
  let client: BuiltClient;
  before(async () => {
    apps = await Promise.all([1, 2].map(() => bootApp({ OUTBOX_MAX_PER_MINUTE: '5' })));
  });
  after(() => Promise.all(apps.map((app) => app.stop())));
  beforeEach(async () => {
    client = await buildClient(store);
  });

  const patch = (id: string, body: object, at = 0): Promise<Answer> =>
    patchAs(apps[at]!.baseUrl, client)(pathOf(id), body);

  it('holds over all processes and inquiries of a tenant; beyond it nothing is half queued', async () => {
    const inquiries = await Promise.all(Array.from({ length: 12 }, () => buildInquiry(store, client.tenantId)));
    const answers = await Promise.all(
      inquiries.map(({ id }, index) =>
        // On a busy machine they wait too long for one another, which is 503: nothing was done, and it is asked again.
        eventually(async () => {
          const answer = await patch(id, { externalId: 'told', notifications: [sms()] }, index % 2);
          return answer.status !== 503 && answer;
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([
      ...Array<number>(5).fill(200),
      ...Array<number>(7).fill(429),
    ]);
    expect(await messagesOf(store, client.tenantId)).to.have.length(5);
    const refused = inquiries[answers.findIndex(({ status }) => status === 429)]!;
    const answer = await patch(refused.id, { notifications: [sms()] });
    expectProblem(answer, 'too_many_requests', { instance: pathOf(refused.id), headers: { 'Retry-After': /^\d+$/ } });
    expect(Number(answer.headers['retry-after'])).to.be.within(1, 60);
    const silent = await patch(refused.id, { redirect: { onError: 'https://a.example/' } });
    expect(silent.body, silent.text).to.include({ externalId: null });
    const other = await buildClient(store);
    const { id } = await buildInquiry(store, other.tenantId);
    const free = await patchAs(apps[0]!.baseUrl, other)(pathOf(id), { notifications: [sms()] });
    expect(free.status, free.text).to.equal(200);
  });

  it('there is room again after as many seconds as Retry-After says, and never for more than the bound', async () => {
    const { id } = await buildInquiry(store, client.tenantId);
    const list = (count: number): object => ({ notifications: Array.from({ length: count }, () => sms()) });
    const refusedFor = async (count: number): Promise<number> => {
      const answer = await patch(id, list(count));
      expect(answer.status, answer.text).to.equal(429);
      return Number(answer.headers['retry-after']);
    };
    const taken = async (count: number): Promise<unknown> =>
      expect((await patch(id, list(count))).status).to.equal(200);
    // Some seconds are over while this test runs.
    expect(await refusedFor(6)).to.equal(60);
    await taken(3);
    await age(20);
    await taken(2);
    expect(await refusedFor(1)).to.be.within(20, 40);
    expect(await refusedFor(4)).to.be.within(41, 60);
    await age(40);
    expect(await refusedFor(4)).to.be.within(1, 20);
    await taken(3);
  });

  it('is counted by the database’s clock: one server whose clock was ahead silences nobody', async () => {
    const { id } = await buildInquiry(store, client.tenantId);
    const list = (count: number): object => ({ notifications: Array.from({ length: count }, () => sms()) });
    const clock = stopClock();
    clock.step(24 * 60 * 60 * 1000);
    const ahead = await patch(id, list(5)).finally(() => clock.release());
    expect(ahead.status, ahead.text).to.equal(200);
    expect((await patch(id, list(1))).status).to.equal(429);
    await age(60);
    expect((await patch(id, list(5))).status).to.equal(200);
  });

  /** Makes what the tenant has queued older. */
  const age = (seconds: number): Promise<unknown> =>
    store
      .database('outbox')
      .where('tenant_id', idToBytes(client.tenantId))
      .update({ created_at: store.database.raw('TIMESTAMPADD(SECOND, ?, created_at)', [-seconds]) });
});
