import { expect } from 'chai';
import { isLong } from '../support/environment.js';
import { eventually } from '../support/eventually.js';
import { buildInquiry, buildTenant, useStore } from '../support/factories.js';
import {
  buildCallback,
  messagesOf,
  queueEvent,
  startDispatcher,
  type TestDispatcher,
  verified,
} from '../support/outbox.js';
import { testServer, type TestServer } from '../support/target-server.js';

/** Of three tenants. */
const counts = isLong ? [1000, 600, 400] : [300, 180, 120];
const total = counts.reduce((sum, count) => sum + count, 0);

describe('the outbox, with many messages', () => {
  const store = useStore();
  const open: (TestDispatcher | TestServer)[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => ('stop' in each ? each.stop() : each.close())));
  });

  it(`two dispatchers deliver ${total} of several tenants, each once, without a deadlock`, async () => {
    const receiver = await testServer((_request, response) => response.writeHead(200).end('ok'));
    open.push(receiver);
    const tenants = await Promise.all(
      counts.map(async (count) => {
        const tenantId = await buildTenant(store);
        const secret = await buildCallback(store, tenantId, `${receiver.origin}/${tenantId}`);
        const { id } = await buildInquiry(store, tenantId);
        const bodies = Array.from({ length: count }, (_value, index) => JSON.stringify({ type: 'test', index }));
        await queueEvent(store, tenantId, id, bodies);
        return { tenantId, secret, bodies };
      }),
    );
    const dispatchers = [startDispatcher({ ports: [receiver.port] }), startDispatcher({ ports: [receiver.port] })];
    open.push(...dispatchers);
    // A machine that is busy takes its time; one that makes no progress hangs.
    for (let seen = 0; seen < total; seen = receiver.seen.length) await eventually(() => receiver.seen.length > seen);
    for (const { tenantId, secret, bodies } of tenants) {
      await eventually(async () => (await messagesOf(store, tenantId, 'delivered')).length === bodies.length);
      const seen = receiver.seen.filter(({ url }) => url === `/${tenantId}`);
      expect(seen.map(({ body }) => body).sort()).to.deep.equal([...bodies].sort());
      expect(new Set(seen.map(({ headers }) => headers['webhook-id'])).size).to.equal(bodies.length);
      seen.forEach((each) => verified(secret, each));
      const messages = await messagesOf(store, tenantId);
      expect(messages.every(({ state, attempts }) => state === 'delivered' && attempts === 1)).to.equal(true);
    }
    expect(receiver.seen).to.have.length(total);
    expect(dispatchers.map((dispatcher) => dispatcher.deadlocks())).to.deep.equal([0, 0]);
  });

  it('a receiver that hangs delays its own tenant alone', async () => {
    const hanging = await testServer(() => undefined);
    const brisk = await testServer((_request, response) => response.writeHead(200).end());
    open.push(hanging, brisk);
    const tenantWith = async (origin: string, count: number): Promise<string> => {
      const tenantId = await buildTenant(store);
      await buildCallback(store, tenantId, origin);
      const { id } = await buildInquiry(store, tenantId);
      await queueEvent(store, tenantId, id, Array<string>(count).fill('{"type":"test"}'));
      return tenantId;
    };
    const slow = await tenantWith(hanging.origin, 500);
    const variables = { OUTBOX_TIMEOUT_MS: '600000' };
    const ports = [hanging.port, brisk.port];
    open.push(startDispatcher({ ports, variables, leaseMs: 700_000, retryDelaysMs: [60_000] }));
    await eventually(() => hanging.seen.length > 0);
    for (let round = 0; round < 5; round++) {
      const before = brisk.seen.length;
      await tenantWith(brisk.origin, 20);
      // It comes while those before it hang: nobody answers them, and their time limit is longer than this test's.
      await eventually(() => brisk.seen.length === before + 20);
    }
    // Never more at once than a queue begins with.
    expect(hanging.seen.length).to.be.within(1, 4);
    expect(await messagesOf(store, slow, 'delivered')).to.deep.equal([]);
  });
});
