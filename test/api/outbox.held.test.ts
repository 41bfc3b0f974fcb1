import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Inquiry } from '../../src/inquiries/inquiries.schema.js';
import { idToBytes } from '../../src/storage/ids.js';
import { stopClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { buildInquiry, buildTenant, useStore } from '../support/factories.js';
import { sms } from '../support/inquiries.js';
import {
  buildCallback,
  messagesOf,
  queueEvent,
  startDispatcher,
  type TestDispatcher,
  updateAs,
} from '../support/outbox.js';
import { useTestServer, type Seen } from '../support/target-server.js';

describe('the outbox, while somebody else holds an inquiry', () => {
  const store = useStore();
  const other = useStore();
  const gateway = useTestServer((request, response) => answer(request, response));
  const receiver = useTestServer((request, response) => accept(request, response));
  let dispatcher: TestDispatcher;
  let tenantId: string;
  let inquiry: Inquiry;
  let held: Knex.Transaction;
  let answer: (request: Seen, response: ServerResponse) => void;
  const accept = (_request: Seen, response: ServerResponse): void => void response.writeHead(202).end();
  beforeEach(async () => {
    answer = accept;
    tenantId = await buildTenant(store);
    await buildCallback(store, tenantId, `${receiver.origin}/${tenantId}`);
    inquiry = await buildInquiry(store, tenantId);
    await updateAs(store, tenantId, inquiry.id, { notifications: [sms(`of ${tenantId}`)] });
    held = await other.database.transaction();
    await held('inquiries').where('id', idToBytes(inquiry.id)).forUpdate().select('id');
    dispatcher = startDispatcher({
      ports: [gateway.port, receiver.port],
      variables: { SMS_GATEWAY_URL: `${gateway.origin}/send`, SMS_GATEWAY_TOKEN: 'gateway-token' },
    });
    await eventually(() => sent(tenantId).length === 1);
  });
  afterEach(async () => {
    await held.rollback();
    await dispatcher.stop();
  });

  const sent = (tenant: string): Seen[] => gateway.seen.filter(({ body }) => body.includes(tenant));
  const stateOf = async (tenant: string): Promise<string | undefined> =>
    (await messagesOf(store, tenant)).find(({ channel }) => channel === 'SMS')?.state;
  const dueAt = async (): Promise<number> => {
    const rows = (await store
      .database('jobs')
      .select('due_at')
      .where({ tenant_id: idToBytes(tenantId), kind: 'SMS' })) as { due_at: Date }[];
    return rows[0]!.due_at.getTime();
  };
  /** A tenant with a callback, and a message for one of its people. */
  async function elsewhere(): Promise<string> {
    const tenant = await buildTenant(store);
    await buildCallback(store, tenant, `${receiver.origin}/${tenant}`);
    const { id } = await buildInquiry(store, tenant);
    await updateAs(store, tenant, id, { notifications: [sms(`of ${tenant}`)] });
    return tenant;
  }

  it('its outcome alone waits: what others queue meanwhile is sent and settled', async () => {
    const tenant = await elsewhere();
    await eventually(async () => (await stateOf(tenant)) === 'delivered');
    expect(await stateOf(tenant)).to.equal('delivered');
    expect(await stateOf(tenantId)).to.equal('pending');
    await held.rollback();
    await eventually(async () => (await stateOf(tenantId)) === 'delivered');
    const events = (): Seen[] =>
      receiver.seen.filter(({ url, body }) => url === `/${tenantId}` && body.includes('notification.delivered'));
    await eventually(() => events().length === 1);
    expect(sent(tenantId)).to.have.length(1);
  });

  it('what was sent stays claimed, so that nobody sends it again', async () => {
    const first = await dueAt();
    await eventually(async () => (await dueAt()) > first);
    expect(await stateOf(tenantId)).to.equal('pending');
  });

  it('a stop writes the outcomes of the others', async () => {
    answer = (_request, response) => {
      void dispatcher.stop();
      response.writeHead(202).end();
    };
    const tenant = await elsewhere();
    await eventually(() => sent(tenant).length === 1);
    await dispatcher.stop();
    expect(await stateOf(tenant)).to.equal('delivered');
    expect(await stateOf(tenantId)).to.equal('pending');
  });

  it('a stop waits a little for the inquiry', async () => {
    const clock = stopClock();
    try {
      const stopped = dispatcher.stop();
      await held.rollback();
      await stopped;
    } finally {
      clock.release();
    }
    expect(await stateOf(tenantId)).to.equal('delivered');
  });
});

describe('the outbox, while no outcome can be written', () => {
  const store = useStore();
  const receiver = useTestServer((_request, response) => void response.writeHead(202).end());

  it('keeps those that there are: nothing goes twice, and what comes later goes, too', async () => {
    const tenantId = await buildTenant(store);
    await buildCallback(store, tenantId, `${receiver.origin}/${tenantId}`);
    const { id } = await buildInquiry(store, tenantId);
    const queue = (count: number): Promise<void> =>
      queueEvent(
        store,
        tenantId,
        id,
        Array.from({ length: count }, () => '{}'),
      );
    const settled = async (): Promise<boolean> =>
      (await messagesOf(store, tenantId)).every(({ state }) => state !== 'pending');
    await store.database.raw(
      `CREATE TRIGGER refuse_outcomes BEFORE UPDATE ON outbox FOR EACH ROW
         IF NEW.tenant_id = UNHEX(?) THEN SIGNAL SQLSTATE '45000'; END IF`,
      [idToBytes(tenantId).toString('hex')],
    );
    const dispatcher = startDispatcher({ ports: [receiver.port] });
    try {
      await queue(3);
      await eventually(() => receiver.seen.length === 3);
      await eventually(() => dispatcher.log().includes('the outbox cannot be worked on right now'));
      await store.database.raw('DROP TRIGGER refuse_outcomes');
      await eventually(settled);
      await queue(30);
      await eventually(settled);
    } finally {
      await store.database.raw('DROP TRIGGER IF EXISTS refuse_outcomes');
      await dispatcher.stop();
    }
    const messages = await messagesOf(store, tenantId);
    for (const message of messages) expect(message).to.include({ state: 'delivered', attempts: 1 });
    expect(receiver.seen.map(({ headers }) => headers['webhook-id'])).to.have.members(messages.map((one) => one.id));
  });
});
