import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { idToBytes } from '../../src/storage/ids.js';
import { bootApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { buildClient, buildInquiry, type BuiltClient, useStore } from '../support/factories.js';
import { patchAs, pathOf, sms } from '../support/inquiries.js';
import { messagesOf } from '../support/outbox.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { longTimeouts } from '../support/settings.js';
import { testServer, type Seen, type TestServer } from '../support/target-server.js';

/** Each has 4 places on its queue in each process, until its receiver has answered. */
const tenants = 8;
const messagesEach = 15;
const mark = 'under way';

describe('kill -9 of one of two servers with 50 messages under way', () => {
  const store = useStore();
  let lives: TestApp;
  let dies: ServerProcess;
  let gateway: TestServer;
  let clients: BuiltClient[];
  /** What other tests left waiting is sent by these processes, too. */
  const isOurs = ({ body }: Seen): boolean => body.includes(mark);
  /** Requests that the gateway has not answered, by message. */
  const open = new Map<string, ServerResponse>();
  /** Messages whose sender went away before it had an answer. */
  const cutOff = new Set<string>();
  let holding = true;
  before(async () => {
    gateway = await testServer((request, response) => {
      if (!isOurs(request)) return void response.writeHead(202).end();
      const { headers } = request;
      const id = String(headers['idempotency-key']);
      response.on('close', () => {
        if (!response.writableFinished) cutOff.add(id);
      });
      if (holding) open.set(id, response);
      else response.writeHead(202).end();
    });
    const settings = {
      ...longTimeouts,
      SMS_GATEWAY_URL: `${gateway.origin}/send`,
      OUTBOUND_ALLOW: `127.0.0.1:${gateway.port}`,
      OUTBOX_TIMEOUT_MS: '60000',
    };
    [lives, dies] = await Promise.all([bootApp(settings), startServer(settings)]);
    clients = await Promise.all(Array.from({ length: tenants }, () => buildClient(store)));
  });
  after(async () => {
    await dies.kill();
    await lives.stop();
    await gateway.close();
  });

  const messages = async (): ReturnType<typeof messagesOf> =>
    (await Promise.all(clients.map(({ tenantId }) => messagesOf(store, tenantId)))).flat();
  const requested = (): string[] =>
    gateway.seen.filter(isOurs).map(({ headers }) => String(headers['idempotency-key']));

  it('loses none, and sends none twice but those that were under way in that process', async () => {
    for (const [at, client] of clients.entries()) {
      const { baseUrl } = at % 2 === 0 ? lives : dies;
      const { id } = await buildInquiry(store, client.tenantId);
      const notifications = Array.from({ length: messagesEach }, (_value, index) => sms(`${mark} ${index}`));
      const answer = await patchAs(baseUrl, client)(pathOf(id), { notifications });
      expect(answer.status, answer.text).to.equal(200);
    }
    await eventually(() => open.size >= 50);
    await dies.kill();
    await eventually(() => cutOff.size > 0);
    // Its connections ended with it, all at once; this process hears of each.
    await sleep(1000);
    holding = false;
    for (const [id, response] of open) if (!cutOff.has(id)) response.writeHead(202).end();
    await eventually(onlyTheDeadHoldAny);
    await eventually(onlyTheDeadHoldAny);
    const left = (await messages()).filter(({ state }) => state === 'pending');
    expect(left.map(({ id }) => id)).to.include.members([...cutOff]);
    await endLeases(left.map(({ id }) => id));
    await eventually(async () => (await messages()).every(({ state }) => state === 'delivered'));

    const all = await messages();
    expect(all).to.have.length(tenants * messagesEach);
    expect(new Set(requested())).to.deep.equal(new Set(all.map(({ id }) => id)));
    const again = requested().filter((id, index, ids) => ids.indexOf(id) < index);
    expect([...again].sort(), 'those under way twice, each once more').to.deep.equal([...cutOff].sort());
    // What its queues began with, of each tenant: claimed, and without a written outcome.
    expect(left.length).to.be.within(1, 4 * tenants);
  });

  /** Nothing is on its way, and all that waits is claimed, for the first time, by a process that does not answer. */
  async function onlyTheDeadHoldAny(): Promise<boolean> {
    await sleep(300);
    const rows = (await store
      .database('jobs')
      .select('claimed', 'fence')
      .where('kind', 'SMS')
      .whereIn(
        'tenant_id',
        clients.map(({ tenantId }) => idToBytes(tenantId)),
      )) as { claimed: number; fence: number }[];
    return rows.every(({ claimed, fence }) => claimed === 1 && fence === 1) && rows.length <= 4 * tenants;
  }

  /** As if the time had passed. */
  const endLeases = (ids: readonly string[]): Promise<unknown> =>
    store
      .database('jobs')
      .whereIn('id', ids.map(idToBytes))
      .update({ due_at: store.database.raw('UTC_TIMESTAMP(3)') });
});
