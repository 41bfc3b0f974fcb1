import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { describeWebhooks } from '../../src/api/openapi/webhooks.js';
import type { Components } from '../../src/api/openapi/schema.js';
import type { Inquiry } from '../../src/inquiries/inquiries.schema.js';
import { rotateCallbackSecret } from '../../src/outbox/callbacks.js';
import { events } from '../../src/outbox/events.schema.js';
import { idToBytes } from '../../src/storage/ids.js';
import { timestamp } from '../support/asserts.js';
import { eventually } from '../support/eventually.js';
import { buildInquiry, buildTenant, useStore } from '../support/factories.js';
import { sms } from '../support/inquiries.js';
import { mailServer, type MailServer } from '../support/mail-server.js';
import {
  buildCallback,
  messagesOf,
  queueEvent,
  startDispatcher,
  type TestDispatcher,
  updateAs,
  verified,
  type TestEvent,
} from '../support/outbox.js';
import { useTestServer, type TestServer } from '../support/target-server.js';

interface RequestBody {
  readonly content: {
    readonly 'application/json': {
      readonly schema: { $ref: string };
      readonly examples: { whole: { value: TestEvent } };
    };
  };
}

describe('the outbox', () => {
  const store = useStore();
  const gateway = useTestServer((_request, response) => response.writeHead(202).end());
  const receiver = useTestServer((_request, response) => response.writeHead(204).end());
  let mails: MailServer;
  let dispatcher: TestDispatcher;
  let tenantId: string;
  let secret: string;
  let inquiry: Inquiry;
  before(async () => {
    mails = await mailServer((address) => (address.startsWith('unknown') ? 550 : undefined));
    dispatcher = startDispatcher({
      ports: [gateway.port, receiver.port],
      variables: {
        SMS_GATEWAY_URL: `${gateway.origin}/send`,
        SMS_GATEWAY_TOKEN: 'gateway-token',
        SMTP_URL: mails.url,
        MAIL_FROM: 'Shelter <hello@shelter.example>',
        MAIL_SUBJECT: 'Hakemuksesi 🐕',
      },
    });
  });
  after(async () => {
    await dispatcher.stop();
    await mails.close();
  });
  beforeEach(async () => {
    tenantId = await buildTenant(store);
    secret = await buildCallback(store, tenantId, `${receiver.origin}/${tenantId}`);
    inquiry = await buildInquiry(store, tenantId, {
      externalId: 'order 7',
      prerequisites: [{ type: 'CONSENT', url: 'https://consent.example' }],
    });
  });

  /** Holds an event against the document that integrators make their receivers from. */
  const documented = (event: TestEvent): void => {
    const components: Components = new Map();
    const webhooks = describeWebhooks(events, components) as Record<string, { post: { requestBody: RequestBody } }>;
    const { schema, examples } = webhooks[event.type]!.post.requestBody.content['application/json'];
    const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uuid: true, 'date-time': true } });
    ajv.addSchema({ $id: 'openapi', components: { schemas: Object.fromEntries(components) } });
    const validate = ajv.compile({ ...schema, $ref: `openapi${schema.$ref}` });
    for (const one of [event, examples.whole.value]) {
      expect(validate(one), JSON.stringify(validate.errors)).to.equal(true);
      expect(Object.keys(one.data)).to.have.members(Object.keys(event.data));
    }
  };
  const update = (change: Parameters<typeof updateAs>[3]): Promise<void> =>
    updateAs(store, tenantId, inquiry.id, change);
  const deliveries = (): TestServer['seen'] => receiver.seen.filter(({ url }) => url === `/${tenantId}`);
  /** The tenant's first event of a type, once it has come. */
  const heard = (type: string): Promise<TestEvent> =>
    eventually(() =>
      deliveries()
        .map((each) => verified(secret, each))
        .find((event) => event.type === type),
    );

  it('sends a text by the gateway: the id as idempotency key, the link in its place', async () => {
    await update({ notifications: [sms('Hei, $link')] });
    const event = await heard('notification.delivered');
    const [message] = (await messagesOf(store, tenantId)).filter(({ channel }) => channel === 'SMS');
    const request = gateway.seen.find(({ headers }) => headers['idempotency-key'] === message!.id);
    expect(request).to.include({ method: 'POST', url: '/send' });
    expect(request!.headers).to.include({
      'content-type': 'application/json',
      authorization: 'Bearer gateway-token',
    });
    expect(JSON.parse(request!.body)).to.deep.equal({ to: '+358401234567', text: `Hei, ${inquiry.url}` });
    expect(message).to.include({ state: 'delivered', attempts: 1, dueAt: null, error: null });
    documented(event);
    expect(event).to.deep.equal({
      type: 'notification.delivered',
      timestamp: event.timestamp,
      data: {
        inquiryId: inquiry.id,
        externalId: 'order 7',
        notificationId: message!.id,
        notification: { id: message!.id, type: 'SMS' },
      },
    });
  });

  it('sends a mail by SMTP: the id in its Message-ID, text that stays text', async () => {
    const text = 'Hyvää päivää\nBcc: someone@else.example\n\n.\n$link';
    await update({ notifications: [{ type: 'EMAIL', to: 'a+b@mail.example', message: text }] });
    const { data } = await heard('notification.delivered');
    const { id } = data['notification'] as { id: string };
    const mail = await eventually(() => mails.mails.find(({ raw }) => raw.includes(id)));
    expect(mail.from).to.equal('hello@shelter.example');
    expect(mail.to).to.deep.equal(['a+b@mail.example']);
    expect(mail.headers).to.include({
      from: 'Shelter <hello@shelter.example>',
      to: 'a+b@mail.example',
      'message-id': `<${id}@shelter.example>`,
    });
    expect(mail.headers).to.not.have.property('bcc');
    expect(mail.text).to.equal(text.replace('$link', inquiry.url));
  });

  it('tells of an update, with the external id and without person, link or code', async () => {
    const asked = Math.floor(Date.now() / 1000);
    await update({ externalId: 'order 8', skipConsentMessages: true });
    const event = await heard('inquiry.updated');
    expect(event.timestamp).to.match(timestamp);
    documented(event);
    expect(event).to.deep.equal({
      type: 'inquiry.updated',
      timestamp: event.timestamp,
      data: {
        inquiryId: inquiry.id,
        externalId: 'order 8',
        completed: false,
        skipConsentMessages: true,
        updatedAt: event.data['updatedAt'],
        prerequisites: [{ id: inquiry.prerequisites[0]!.id, type: 'CONSENT', completed: false }],
      },
    });
    const [delivery] = deliveries();
    const [message] = await messagesOf(store, tenantId);
    expect(delivery!.headers['webhook-id']).to.equal(message!.id);
    expect(Number(delivery!.headers['webhook-timestamp'])).to.be.within(asked, Date.now() / 1000);
  });

  it('a tenant without a callback gets its messages, and no events', async () => {
    const other = await buildTenant(store);
    const { id } = await buildInquiry(store, other);
    await updateAs(store, other, id, { externalId: 'x', notifications: [sms()] });
    await eventually(async () => (await messagesOf(store, other, 'delivered')).length === 1);
    expect(await messagesOf(store, other)).to.have.length(1);
  });

  it('says when a mail is refused for good, once, and keeps it as a dead letter', async () => {
    await update({ notifications: [{ type: 'EMAIL', to: 'unknown@mail.example', message: 'x' }] });
    const event = await heard('notification.failed');
    documented(event);
    const { data } = event;
    const [dead] = await messagesOf(store, tenantId, 'dead');
    expect(dead).to.include({ channel: 'EMAIL', attempts: 1, dueAt: null, error: 'SMTP 550' });
    expect(data).to.deep.equal({
      inquiryId: inquiry.id,
      externalId: 'order 7',
      notificationId: dead!.id,
      notification: { id: dead!.id, type: 'EMAIL', reason: 'refused' },
    });
  });

  it('while a secret is replaced, either one verifies; after that the new one alone', async () => {
    const rotated = await rotateCallbackSecret(store, { tenantId });
    await queueEvent(store, tenantId, inquiry.id, ['{"type":"a"}']);
    const during = await eventually(() => deliveries()[0]);
    expect(verified(secret, during).type).to.equal('a');
    expect(verified(rotated.secret, during).type).to.equal('a');
    expect(String(during.headers['webhook-signature']).split(' ')).to.have.length(2);

    await store
      .database('callbacks')
      .where('owner_id', idToBytes(tenantId))
      .update({ previous_expires_at: new Date(Date.now() - 1) });
    await queueEvent(store, tenantId, inquiry.id, ['{"type":"b"}']);
    const later = await eventually(() => deliveries()[1]);
    expect(verified(rotated.secret, later).type).to.equal('b');
    expect(() => verified(secret, later)).to.throw('No matching signature');
  });

  it('a changed body, id or time does not verify', async () => {
    await queueEvent(store, tenantId, inquiry.id, ['{"type":"a"}']);
    const { headers, body } = await eventually(() => deliveries()[0]);
    expect(() => verified(secret, { headers, body: `${body} ` })).to.throw('No matching signature');
    expect(() => verified(secret, { headers: { ...headers, 'webhook-id': 'x' }, body })).to.throw('No matching');
    const old = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) };
    expect(() => verified(secret, { headers: old, body })).to.throw('No matching signature');
  });
});
