import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { Inquiry } from '../../src/inquiries/inquiries.schema.js';
import { createEncryption } from '../../src/storage/encryption.js';
import { idToBytes } from '../../src/storage/ids.js';
import { useApp } from '../support/app.js';
import { bodyOf, expectProblem, timestamp, uuidV7 } from '../support/asserts.js';
import { stopClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { buildClient, disableClient, buildInquiry, type BuiltClient, useStore } from '../support/factories.js';
import { call, type Answer } from '../support/http.js';
import { getAs, patchAs, pathOf, queued, sms, type Patch } from '../support/inquiries.js';
import { messagesOf } from '../support/outbox.js';
import { basic, tokenOf } from '../support/tokens.js';

describe('PATCH of an inquiry', () => {
  const app = useApp({ LOG_LEVEL: 'trace', LOG_MESSAGES: 'true' });
  const store = useStore();
  let client: BuiltClient;
  let inquiry: Inquiry;
  before(async () => {
    client = await buildClient(store);
  });
  beforeEach(async () => {
    inquiry = await buildInquiry(store, client.tenantId);
  });

  const send: Patch = (...call) => patchAs(app.baseUrl, client)(...call);
  const patch = (body: unknown, headers?: Record<string, string>): Promise<Answer> =>
    send(pathOf(inquiry.id), body, headers);
  const get = (id = inquiry.id): Promise<Answer> => getAs(app.baseUrl, client)(pathOf(id));
  const patched = async (body: object): Promise<Inquiry> => bodyOf(await patch(body)) as Inquiry;

  it('answers 200 with the whole inquiry and a strong ETag', async () => {
    const made = await buildInquiry(store, client.tenantId, {
      personId: 'Ö-1',
      prerequisites: [{ type: 'CONSENT', url: 'https://consent.example/1' }],
    });
    const body = {
      externalId: 'order 7',
      skipConsentMessages: true,
      notifications: [sms(), { type: 'EMAIL', message: 'Hei,\n$link', to: 'a.b+c@mail.example' }],
      redirect: { onSuccess: 'https://shop.example/ok?a=1#b', onError: 'http://shop.example:8080/no' },
    };
    const answer = await send(pathOf(made.id), body);
    expect(answer.status, answer.text).to.equal(200);
    expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
    expect(answer.headers.etag).to.equal('"2"');
    const got = answer.body as Inquiry;
    expect(got).to.deep.equal({
      id: made.id,
      personId: 'Ö-1',
      url: made.url,
      ...body,
      notifications: queued(body.notifications, got.notifications),
      completed: false,
      createdAt: made.createdAt,
      updatedAt: got.updatedAt,
      authorizationCode: null,
      prerequisites: [
        { id: made.prerequisites[0]!.id, type: 'CONSENT', completed: false, url: 'https://consent.example/1' },
      ],
    });
    expect(got.id).to.match(uuidV7);
    expect(got.updatedAt).to.match(timestamp);
    expect(got.updatedAt > got.createdAt).to.equal(true);
    expect(answer.headers['cache-control']).to.equal('no-store');
    expect((await get(made.id)).body).to.have.property('id', made.id);
  });

  it('what is set already is 200 and changes nothing', async () => {
    const first = await patch({ externalId: 'x', skipConsentMessages: false, redirect: {}, notifications: [] });
    expect(first.headers.etag).to.equal('"2"');
    const again = await patch({ externalId: 'x', skipConsentMessages: false, redirect: { onError: null } });
    expect([again.headers.etag, again.body]).to.deep.equal(['"2"', first.body]);
  });

  it('externalId is any string up to 255 characters, and null clears it', async () => {
    for (const externalId of ['', ' ', '🏢'.repeat(255), "'; DROP TABLE inquiries; --", 'a\nb']) {
      expect((await patched({ externalId })).externalId).to.equal(externalId);
    }
    expect((await patched({ externalId: null })).externalId).to.equal(null);
  });

  it('redirect merges by field, and null clears a field or both', async () => {
    const [a, b] = ['https://a.example/', 'https://b.example/'];
    expect((await patched({ redirect: { onSuccess: a } })).redirect).to.deep.equal({ onSuccess: a, onError: null });
    expect((await patched({ redirect: { onError: b } })).redirect).to.deep.equal({ onSuccess: a, onError: b });
    expect((await patched({ redirect: { onSuccess: null } })).redirect).to.deep.equal({ onSuccess: null, onError: b });
    expect((await patched({ redirect: null })).redirect).to.deep.equal({ onSuccess: null, onError: null });
  });

  it('notifications replace the stored list, and each entry given is queued once', async () => {
    const own = await buildClient(store);
    const made = await buildInquiry(store, own.tenantId);
    const Authorization = basic(own.id, own.secret);
    const twenty = Array.from({ length: 20 }, (_value, index) => sms(`${index}: $link`));
    const first = await send(pathOf(made.id), { notifications: twenty }, { Authorization });
    const list = (answer: Answer): Inquiry['notifications'] => (answer.body as Inquiry).notifications;
    expect(list(first)).to.deep.equal(queued(twenty, list(first)));
    const second = await send(pathOf(made.id), { notifications: [sms('last')] }, { Authorization });
    expect(list(second)).to.deep.equal(queued([sms('last')], list(second)));
    await send(pathOf(made.id), { externalId: 'no message' }, { Authorization });
    const none = await send(pathOf(made.id), { notifications: [] }, { Authorization });
    expect(list(none)).to.deep.equal([]);
    await eventually(async () => (await messagesOf(store, own.tenantId)).every(({ state }) => state !== 'pending'));
    expect((await messagesOf(store, own.tenantId)).map(({ id }) => id)).to.deep.equal(
      [...list(first), ...list(second)].map(({ id }) => id),
    );
  });

  describe('credentials', () => {
    const authorized = (Authorization: string): Promise<Answer> => patch({ externalId: 'x' }, { Authorization });

    it('are of a client by Basic, however that is spelled, or by a token; challenges say which', async () => {
      const { id, secret } = client;
      expect((await authorized(basic(id, secret).replace('Basic', 'bAsIc'))).status).to.equal(200);
      const asked = 'Basic realm="verdict", charset="UTF-8"';
      const instance = pathOf(inquiry.id);
      for (const header of ['', 'Digest a=b', 'Basicx', 'xBasic x'])
        expectProblem(await authorized(header), 'unauthorized', {
          instance,
          detail: 'Authenticate with HTTP Basic (client id and secret) or with an access token.',
          headers: { 'WWW-Authenticate': `${asked}, Bearer realm="verdict"` },
        });
      for (const header of [basic(id, 'wrong'), 'Basic x', 'BASIC'])
        expectProblem(await authorized(header), 'unauthorized', {
          instance,
          detail: 'The client id or the secret is wrong.',
          headers: { 'WWW-Authenticate': asked },
        });
      expectProblem(await authorized('BEARER x.y.z'), 'unauthorized', {
        instance,
        headers: { 'WWW-Authenticate': /^Bearer realm="verdict", error="invalid_token"/ },
      });
    });

    it('guessing is throttled', async () => {
      const target = await buildClient(store);
      const answers = await Promise.all(Array.from({ length: 12 }, () => authorized(basic(target.id, 'guess'))));
      const throttled = answers.find(({ status }) => status === 429);
      expectProblem(throttled!, 'too_many_requests', {
        instance: pathOf(inquiry.id),
        headers: { 'Retry-After': /^\d+$/ },
      });
      expect((await authorized(basic(client.id, client.secret))).status).to.equal(200);
    });

    it('a client without the scope is 403, before anything of the body', async () => {
      const other = await buildClient(store, { tenantId: client.tenantId, scopes: 'execution:write' });
      const lacking = { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="inquiry:update"' };
      const token = await tokenOf(app.baseUrl, client, { scope: 'execution:write' });
      for (const Authorization of [basic(other.id, other.secret), `Bearer ${token}`]) {
        const answer = await patch('{', { Authorization });
        expectProblem(answer, 'insufficient_scope', { instance: pathOf(inquiry.id), headers: lacking });
      }
    });

    it('a disabled client is refused within 5 s, and a wrong secret at once', async () => {
      const other = await buildClient(store, { tenantId: client.tenantId });
      const Authorization = basic(other.id, other.secret);
      expect((await authorized(Authorization)).status).to.equal(200);
      await disableClient(store, other.id);
      const clock = stopClock();
      try {
        let { status } = await authorized(Authorization);
        for (let passedMs = 0; passedMs < 4900 && status !== 401; passedMs += 50) {
          await clock.pass(50);
          ({ status } = await authorized(Authorization));
        }
        expect(status).to.equal(401);
      } finally {
        clock.release();
      }
    });
  });

  describe('at the same time', () => {
    it('updates of different fields all hold', async () => {
      const answers = await Promise.all([
        ...Array.from({ length: 10 }, (_value, index) => patch({ externalId: `n${index}` })),
        patch({ skipConsentMessages: true }),
        patch({ redirect: { onSuccess: 'https://a.example/' } }),
        patch({ redirect: { onError: 'https://b.example/' } }),
      ]);
      expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200));
      const last = await get();
      expect(last.headers.etag).to.equal('"14"');
      expect(last.body).to.deep.include({
        skipConsentMessages: true,
        redirect: { onSuccess: 'https://a.example/', onError: 'https://b.example/' },
      });
    });

    it('of two with the same If-Match one holds, and only its messages are queued', async () => {
      const own = await buildClient(store);
      const made = await buildInquiry(store, own.tenantId);
      const headers = { Authorization: basic(own.id, own.secret), 'If-Match': '"1"' };
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => send(pathOf(made.id), { notifications: [sms('a'), sms('b')] }, headers)),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, ...Array<number>(7).fill(412)]);
      expect(await messagesOf(store, own.tenantId)).to.have.length(2);
    });
  });

  it('sealed with another ENCRYPTION_KEY, it is 500, and no byte of it is shown or logged', async () => {
    const other = { ...store, encryption: createEncryption(randomBytes(32)) };
    const made = await buildInquiry(other, client.tenantId, { personId: 'person-of-another-key' });
    const instance = pathOf(made.id);
    expectProblem(await send(instance, { externalId: 'a' }), 'internal_error', {
      instance,
      detail: 'Something unforeseen happened. Quote the request id to the operator.',
    });
    expect(app.log()).to.not.include('person-of-another-key');
    const [row] = (await store.database('inquiries').where('id', idToBytes(made.id))) as [{ revision: number }];
    expect(row.revision).to.equal(1);
  });

  it('person, code, link and texts are sealed at rest, and never in a log line of ours', async () => {
    const own = await buildClient(store);
    const made = await buildInquiry(store, own.tenantId, { personId: 'person-in-clear' });
    const headers = { Authorization: basic(own.id, own.secret) };
    const path = `${pathOf(made.id)}/completion`;
    const options = { method: 'POST', headers, body: { authorizationCode: 'code-in-clear' } };
    expect((await call(`${app.baseUrl}${path}`, options)).status).to.equal(200);
    const message = { type: 'EMAIL', message: 'text-in-clear', to: 'address-in-clear@mail.example' };
    const answer = await send(pathOf(made.id), { notifications: [message] }, headers);
    expect(answer.body).to.include({ personId: 'person-in-clear', authorizationCode: 'code-in-clear' });
    const tables = await Promise.all([
      store.database('inquiries').where('id', idToBytes(made.id)),
      store.database('outbox').where('inquiry_id', idToBytes(made.id)),
    ]);
    const stored = tables
      .flat()
      .flatMap((row: Record<string, unknown>) => Object.values(row))
      .map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)))
      .join('\n');
    expect(stored).to.not.include(made.url);
    expect(stored).to.not.include('in-clear');
    expect(app.log()).to.not.include('person-in-clear');
    expect(app.log()).to.not.include('code-in-clear');
    expect(app.log()).to.not.include(own.secret);
  });
});
