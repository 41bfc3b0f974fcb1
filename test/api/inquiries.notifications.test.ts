import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { Inquiry } from '../../src/inquiries/inquiries.schema.js';
import { useOwnApp } from '../support/app.js';
import { expectProblem } from '../support/asserts.js';
import { eventually } from '../support/eventually.js';
import { buildClient, buildInquiry, type BuiltClient, useStore } from '../support/factories.js';
import type { Answer } from '../support/http.js';
import { getAs, patchAs, pathOf, sms } from '../support/inquiries.js';
import { buildCallback, messagesOf, verified, type TestEvent } from '../support/outbox.js';
import { useTestServer } from '../support/target-server.js';

describe('what becomes of an inquiry’s notifications', () => {
  const gateway = useTestServer(({ body }, response) => answer(response, (JSON.parse(body) as { text: string }).text));
  const receiver = useTestServer((_request, response) => response.writeHead(204).end());
  const app = useOwnApp(() => ({
    SMS_GATEWAY_URL: `${gateway.origin}/send`,
    OUTBOUND_ALLOW: `127.0.0.1:${gateway.port},127.0.0.1:${receiver.port}`,
    OUTBOX_TIMEOUT_MS: '60000',
    OUTBOX_RETRY_DELAYS_S: '600,600',
  }));
  const store = useStore();
  let client: BuiltClient;
  let inquiry: Inquiry;
  let secret: string;
  /** What the gateway does with a text; it may leave it open. */
  let answer: (response: ServerResponse, text: string) => void;
  beforeEach(async () => {
    answer = (response) => response.writeHead(202).end();
    client = await buildClient(store);
    inquiry = await buildInquiry(store, client.tenantId, { externalId: 'order 7' });
    secret = await buildCallback(store, client.tenantId, `${receiver.origin}/${client.tenantId}`);
  });

  const patch = (body: object, headers: Record<string, string> = {}): Promise<Answer> =>
    patchAs(app.baseUrl, client)(pathOf(inquiry.id), body, headers);
  const get = (headers: Record<string, string> = {}): Promise<Answer> =>
    getAs(app.baseUrl, client)(pathOf(inquiry.id), headers);
  const listOf = ({ body }: Answer): Inquiry['notifications'] => (body as Inquiry).notifications;
  const notify = async (...texts: string[]): Promise<Inquiry['notifications']> => {
    const answered = await patch({ notifications: texts.map((text) => sms(text)) });
    expect(answered.status, answered.text).to.equal(200);
    return listOf(answered);
  };
  const shown = (...states: string[]): Promise<Answer> =>
    eventually(async () => {
      const read = await get();
      return (
        listOf(read)
          .map(({ state }) => state)
          .join() === states.join() && read
      );
    });
  const stored = async (id: string): Promise<string | undefined> =>
    (await messagesOf(store, client.tenantId)).find((message) => message.id === id)?.state;
  const texts = (): string[] => gateway.seen.map(({ body }) => (JSON.parse(body) as { text: string }).text);
  const events = (): TestEvent[] =>
    receiver.seen.filter(({ url }) => url === `/${client.tenantId}`).map((each) => verified(secret, each));
  const heard = (type: string): Promise<TestEvent> => eventually(() => events().find((event) => event.type === type));

  it('GET shows the inquiry as PATCH answered it, and each state as it changes', async () => {
    let take: (() => void) | undefined;
    answer = (response, text) => {
      if (text === 'held') take = () => response.writeHead(202).end();
      // What other tests left waiting comes here, too.
      else response.writeHead(202).end();
    };
    const patched = await patch({ notifications: [sms('held')] });
    const read = await get();
    expect([read.status, read.body, read.headers.etag]).to.deep.equal([200, patched.body, patched.headers.etag]);
    expect(read.headers).to.include({ etag: '"2"', 'cache-control': 'no-store' });
    await eventually(() => take !== undefined);
    take?.();
    const sent = await shown('sent');
    expect(listOf(sent)).to.deep.equal([{ ...listOf(patched)[0], state: 'sent' }]);
    expect(sent.body).to.have.property('updatedAt', (patched.body as Inquiry).updatedAt);
  });

  it('a state that changed is another entity for GET; whoever read before may still PATCH', async () => {
    const patched = await patch({ notifications: [sms('a'), sms('b')] });
    const sent = await shown('sent', 'sent');
    const [before, after] = [patched.headers['etag']!, sent.headers['etag']!];
    expect(after).to.not.equal(before);
    expect((await get({ 'If-None-Match': before })).status).to.equal(200);
    const current = await get({ 'If-None-Match': after });
    expect(current).to.include({ status: 304, text: '' });
    expect(current.headers).to.include({ etag: after, 'cache-control': 'no-store' });
    const next = await patch({ externalId: 'b' }, { 'If-Match': before });
    expect(next.status, next.text).to.equal(200);
    expectProblem(await patch({ externalId: 'c' }, { 'If-Match': after }), 'precondition_failed', {
      instance: pathOf(inquiry.id),
    });
    expect((await patch({ externalId: 'c' }, { 'If-Match': next.headers['etag']! })).status).to.equal(200);
  });

  it('one that is refused has failed; its event names it as the answer did', async () => {
    answer = (response) => response.writeHead(400).end();
    const [asked] = await notify('refused');
    await shown('failed');
    const event = await heard('notification.failed');
    expect(event.data).to.deep.equal({
      inquiryId: inquiry.id,
      externalId: 'order 7',
      notificationId: asked!.id,
      notification: { id: asked!.id, type: 'SMS', reason: 'refused' },
    });
    expect(gateway.seen.map(({ headers }) => headers['idempotency-key'])).to.include(asked!.id);
  });

  it('without a gateway it is logged, not sent: no event says that it was delivered, and the log hides whom it is for', async () => {
    const to = 'liisa.virtanen@mail.example';
    const [asked] = listOf(await patch({ notifications: [{ type: 'EMAIL', to, message: `Hei: $link` }] }));
    await shown('logged');
    const line = await eventually(() =>
      app
        .log()
        .split('\n')
        .find((each) => each.includes(asked!.id) && each.includes('not sent')),
    );
    expect(JSON.parse(line)).to.include({ channel: 'EMAIL', to: '…le', text: 'Hei: [link]' });
    expect(app.log()).to.not.include(inquiry.url).and.to.not.include(to);
    expect(app.log()).to.include('SMTP_URL is not set').and.to.not.include('SMS_GATEWAY_URL is not set');
    await notify('sent');
    await heard('notification.delivered');
    expect(events().filter(({ data }) => data['notificationId'] === asked!.id)).to.deep.equal([]);
  });

  it('a new list drops what still waits of the one before', async () => {
    answer = (response, text) => response.writeHead(text === 'waits' ? 503 : 202).end();
    const [before] = await notify('waits');
    await eventually(() => texts().includes('waits'));
    await eventually(async () => (await messagesOf(store, client.tenantId)).some(({ error }) => error !== null));
    const [after] = await notify('new');
    await shown('sent');
    expect(await stored(before!.id)).to.equal('replaced');
    expect(await stored(after!.id)).to.equal('delivered');
    expect(texts().filter((text) => text === 'waits')).to.have.length(1);
  });

  it('what is under way is not recalled, and not tried again', async () => {
    const open = new Map<string, ServerResponse>();
    answer = (response, text) =>
      text === 'taken' || text === 'lost' ? void open.set(text, response) : void response.writeHead(202).end();
    const [taken, lost] = await notify('taken', 'lost');
    await eventually(() => open.size === 2);
    await patch({ notifications: [] });
    expect([await stored(taken!.id), await stored(lost!.id)]).to.deep.equal(['pending', 'pending']);
    open.get('taken')?.writeHead(202).end();
    open.get('lost')?.writeHead(503).end();
    await eventually(async () => (await stored(lost!.id)) === 'replaced');
    await eventually(async () => (await stored(taken!.id)) === 'delivered');
    expect(listOf(await get())).to.deep.equal([]);
  });
});
