import { expect } from 'chai';
import { idToBytes } from '../../src/storage/ids.js';
import type { Inquiry, InquirySummary } from '../../src/inquiries/inquiries.schema.js';
import { useOwnApp } from '../support/app.js';
import { bodyOf, expectProblem, timestamp, uuidV7 } from '../support/asserts.js';
import { eventually } from '../support/eventually.js';
import { buildClient, type BuiltClient, useStore } from '../support/factories.js';
import { call, type Answer } from '../support/http.js';
import { pathOf, queued, sms } from '../support/inquiries.js';
import { buildCallback, messagesOf, verified, type TestEvent } from '../support/outbox.js';
import { useTestServer } from '../support/target-server.js';
import { basic } from '../support/tokens.js';

const path = '/fuse/v2/inquiries';
const prerequisites = [
  { type: 'CONSENT', url: 'https://consent.example/1' },
  { type: 'IDENTITY', url: 'https://consent.example/2' },
];

describe('the life of an inquiry over HTTP', () => {
  const receiver = useTestServer((_request, response) => response.writeHead(204).end());
  const app = useOwnApp(() => ({ OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` }));
  const store = useStore();
  let client: BuiltClient;
  let secret: string;
  beforeEach(async () => {
    client = await buildClient(store);
    secret = await buildCallback(store, client.tenantId, `${receiver.origin}/${client.tenantId}`);
  });

  const ask = (method: string, to: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> =>
    call(`${app.baseUrl}${to}`, {
      method,
      headers: { Authorization: basic(client.id, client.secret), ...headers },
      ...(body === undefined ? {} : { body }),
    });
  async function created(fields: object = {}): Promise<Inquiry> {
    return bodyOf(await ask('POST', path, { personId: 'person-1', ...fields }), 201) as Inquiry;
  }
  /** All events of the tenant, once there are as many. */
  const events = (count: number): Promise<TestEvent[]> =>
    eventually(() => {
      const ours = receiver.seen.filter(({ url }) => url === `/${client.tenantId}`);
      return ours.length >= count && ours.map((seen) => verified(secret, seen));
    });
  const typesOf = (all: readonly TestEvent[]): string[] => all.map(({ type }) => type).sort();

  it('forgets expired answers while inquiries are created, though none is changed', async () => {
    const create = (key: string): Promise<Answer> =>
      ask('POST', path, { personId: 'person-1' }, { 'Idempotency-Key': key });
    await create('old');
    const ours = store.database('inquiry_answers').where('tenant_id', idToBytes(client.tenantId));
    await ours.clone().update({ expires_at: new Date(0) });
    for (let count = 0; count < 100; count++) await create(`new-${count}`);
    await eventually(async () => ((await ours.clone().where('expires_at', new Date(0))) as object[]).length === 0);
  });

  it('begins by POST: 201 with all that PATCH answers, and its notifications are queued', async () => {
    const body = {
      personId: 'Ö-1',
      externalId: 'order 7',
      prerequisites,
      skipConsentMessages: true,
      redirect: { onSuccess: 'https://shop.example/ok' },
      notifications: [sms()],
    };
    const answer = await ask('POST', path, body);
    expect(answer.status, answer.text).to.equal(201);
    expect(answer.headers).to.include({ etag: '"1"', 'cache-control': 'no-store' });
    const got = answer.body as Inquiry;
    expect(got).to.deep.equal({
      id: got.id,
      personId: 'Ö-1',
      url: got.url,
      externalId: 'order 7',
      skipConsentMessages: true,
      completed: false,
      createdAt: got.createdAt,
      updatedAt: got.createdAt,
      notifications: queued(body.notifications, got.notifications),
      redirect: { onSuccess: 'https://shop.example/ok', onError: null },
      authorizationCode: null,
      prerequisites: prerequisites.map((each, index) => ({
        id: got.prerequisites[index]?.id,
        type: each.type,
        completed: false,
        url: each.url,
      })),
    });
    expect(got.id).to.match(uuidV7);
    expect(got.createdAt).to.match(timestamp);
    expect(got.url).to.match(/^http:\/\/localhost:3000\/inquiries\/[\w-]{24}$/);
    const read = await ask('GET', pathOf(got.id));
    expect(read.body).to.deep.include({ ...got, notifications: (read.body as Inquiry).notifications });
    expect((await messagesOf(store, client.tenantId)).map(({ id }) => id)).to.deep.equal([got.notifications[0]?.id]);
  });

  it('is made once for an Idempotency-Key, also by many at once', async () => {
    const key = { 'Idempotency-Key': 'made once' };
    const body = { personId: 'p', notifications: [sms()] };
    expectProblem(await ask('POST', path, body, key), 'validation_failed', {
      instance: path,
      errors: [{ in: 'header', pointer: 'Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }],
    });
    const once = { 'Idempotency-Key': 'made-once' };
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask('POST', path, body, once)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, answers[0]?.text).to.equal(1);
    expect(answers.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).to.have.length(1);
    expect(await messagesOf(store, client.tenantId)).to.have.length(1);
    const errors = [
      { in: 'header' as const, pointer: 'Idempotency-Key', message: 'was used with another path or body' },
    ];
    expectProblem(await ask('POST', path, { personId: 'q' }, once), 'idempotency_key_reused', {
      instance: path,
      errors,
    });
    const { id } = answers[0]?.body as Inquiry;
    expectProblem(await ask('POST', `${pathOf(id)}/completion`, body, once), 'validation_failed', {
      instance: `${pathOf(id)}/completion`,
      errors: [
        { in: 'body', pointer: '/personId', message: 'is not a known field' },
        { in: 'body', pointer: '/notifications', message: 'is not a known field' },
      ],
    });
    expectProblem(await ask('POST', `${pathOf(id)}/completion`, {}, once), 'idempotency_key_reused', {
      instance: `${pathOf(id)}/completion`,
      errors,
    });
  });

  it('is not made anew by a repeat once it was deleted: its key stays used, and nothing of its answer is kept', async () => {
    const once = { 'Idempotency-Key': 'deleted' };
    const body = { personId: 'a person', notifications: [sms()] };
    const { id } = bodyOf(await ask('POST', path, body, once), 201) as Inquiry;
    expect((await ask('PATCH', pathOf(id), { externalId: 'b' }, { 'Idempotency-Key': 'changed' })).status).to.equal(
      200,
    );
    expect((await ask('DELETE', pathOf(id))).status).to.equal(204);
    expectProblem(await ask('POST', path, body, once), 'record_erased', { instance: path });
    expectProblem(await ask('POST', path, { personId: 'another' }, once), 'idempotency_key_reused', {
      instance: path,
      errors: [{ in: 'header', pointer: 'Idempotency-Key', message: 'was used with another path or body' }],
    });
    const kept = store.database('inquiry_answers').where('tenant_id', idToBytes(client.tenantId));
    expect(await kept.clone().select('answer', 'inquiry_id')).to.deep.equal([
      { answer: null, inquiry_id: null },
      { answer: null, inquiry_id: null },
    ]);
    expect(await messagesOf(store, client.tenantId)).to.deep.equal([]);
    await kept.clone().update({ expires_at: new Date(0) });
    expect((await ask('POST', path, body, once)).status).to.equal(201);
  });

  it('is complete once its prerequisites are; each is told once, and the inquiry once', async () => {
    const { id, prerequisites: made } = await created({ externalId: 'order 7', prerequisites });
    const one = `${pathOf(id)}/prerequisites/${made[0]!.id}`;
    const other = `${pathOf(id)}/prerequisites/${made[1]!.id}`;
    const first = await ask('PATCH', one, { completed: true }, { 'If-Match': '"1"' });
    expect([first.status, first.headers['etag']], first.text).to.deep.equal([200, '"2"']);
    expect((first.body as Inquiry).prerequisites.map(({ completed }) => completed)).to.deep.equal([true, false]);
    expect(first.body).to.include({ completed: false });
    expect((await ask('PATCH', one, { completed: true })).headers['etag'], 'nothing changed').to.equal('"2"');
    expectProblem(await ask('PATCH', other, { completed: true }, { 'If-Match': '"1"' }), 'precondition_failed', {
      instance: other,
    });
    expect((await ask('PATCH', other, { completed: true })).body).to.include({ completed: true });
    const code = await ask('POST', `${pathOf(id)}/completion`, { authorizationCode: 'code' });
    expect(code.body).to.include({ completed: true, authorizationCode: 'code' });
    const told = await events(6);
    expect(typesOf(told)).to.deep.equal([
      'inquiry.completed',
      ...Array<string>(3).fill('inquiry.updated'),
      ...Array<string>(2).fill('prerequisite.completed'),
    ]);
    const of = (type: string): object[] => told.filter((event) => event.type === type).map(({ data }) => data);
    expect(of('prerequisite.completed')).to.have.deep.members(
      made.map((each) => ({
        inquiryId: id,
        externalId: 'order 7',
        prerequisite: { id: each.id, type: each.type },
      })),
    );
    expect(Object.keys(of('inquiry.completed')[0]!)).to.deep.equal(['inquiryId', 'externalId', 'updatedAt']);
    const back = await ask('PATCH', one, { completed: false });
    expect(back.body).to.include({ completed: false });
    const absent = `${pathOf(id)}/prerequisites/${id}`;
    expectProblem(await ask('PATCH', absent, { completed: true }), 'prerequisite_not_found', { instance: absent });
  });

  it('is complete with all its prerequisites by POST of a completion; a repeat with its key changes nothing', async () => {
    const { id } = await created({ prerequisites });
    const key = { 'Idempotency-Key': 'done' };
    const done = await ask('POST', `${pathOf(id)}/completion`, { authorizationCode: 'code' }, key);
    expect([done.status, done.headers['etag']], done.text).to.deep.equal([200, '"2"']);
    expect((done.body as Inquiry).prerequisites.every(({ completed }) => completed)).to.equal(true);
    await ask('PATCH', pathOf(id), { externalId: 'later' });
    const again = await ask('POST', `${pathOf(id)}/completion`, { authorizationCode: 'code' }, key);
    expect([again.text, again.headers['idempotency-replayed']]).to.deep.equal([done.text, 'true']);
    expect(typesOf(await events(5)).filter((type) => type !== 'inquiry.updated')).to.deep.equal([
      'inquiry.completed',
      'prerequisite.completed',
      'prerequisite.completed',
    ]);
  });

  it('is listed without what names people, by external id and by whether it is complete', async () => {
    const made: Inquiry[] = [];
    for (const externalId of ['a', 'b', 'a', null]) made.push(await created({ externalId, prerequisites }));
    const [first, , third] = made.map(({ id }) => id);
    await ask('POST', `${pathOf(third!)}/completion`, {});
    const list = async (query: string): Promise<{ data: InquirySummary[]; page: { total: number; after: string } }> =>
      bodyOf(await ask('GET', `${path}${query}`)) as { data: InquirySummary[]; page: { total: number; after: string } };
    const ids = async (query: string): Promise<string[]> => (await list(query)).data.map(({ id }) => id);
    expect(await ids('')).to.deep.equal(made.map(({ id }) => id));
    const { data, page } = await list('?externalId=a');
    expect(data.map(({ id }) => id)).to.deep.equal([first, third]);
    expect(page.total).to.equal(4);
    const { id, externalId, skipConsentMessages, completed, createdAt, updatedAt } = made[0]!;
    expect(data[0]).to.deep.equal({ id, externalId, skipConsentMessages, completed, createdAt, updatedAt });
    expect(await ids('?completed=true')).to.deep.equal([third]);
    expect(await ids('?completed=false&externalId=a')).to.deep.equal([first]);
    const { page: cut } = await list('?size=1&externalId=a');
    expect(await ids(`?size=1&externalId=a&after=${cut.after}`)).to.deep.equal([third]);
  });
});
