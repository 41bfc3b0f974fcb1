import { expect } from 'chai';
import type { Inquiry, InquirySummary } from '../../src/inquiries/inquiries.schema.js';
import { bootApp, type TestApp } from '../support/app.js';
import { isLong } from '../support/environment.js';
import { eventually } from '../support/eventually.js';
import { buildClient, type BuiltClient, useStore } from '../support/factories.js';
import { call, NoAnswer, type Answer } from '../support/http.js';
import { pathOf } from '../support/inquiries.js';
import { buildCallback, verified, type TestEvent } from '../support/outbox.js';
import { startServer, type ServerProcess } from '../support/process.js';
import { longTimeouts } from '../support/settings.js';
import { useTestServer } from '../support/target-server.js';
import { basic } from '../support/tokens.js';

const path = '/fuse/v2/inquiries';
const count = isLong ? 40 : 16;

describe('kill -9 of one of two servers while inquiries are made and completed', () => {
  const store = useStore();
  let lives: TestApp;
  let dies: ServerProcess;
  const receiver = useTestServer((_request, response) => response.writeHead(204).end());
  let client: BuiltClient;
  let secret: string;
  before(async () => {
    const settings = { ...longTimeouts, OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` };
    [lives, dies] = await Promise.all([bootApp(settings), startServer(settings)]);
    client = await buildClient(store);
    secret = await buildCallback(store, client.tenantId, `${receiver.origin}/${client.tenantId}`);
  });
  after(async () => {
    await dies.kill();
    await lives.stop();
  });

  let asked = 0;
  /** As a partner does: again with the same key, until there is an answer that is not the server's fault. */
  const insist = (method: string, to: string, body: object, key?: string): Promise<Answer> =>
    eventually(async () => {
      const { baseUrl } = asked++ % 2 === 0 ? lives : dies;
      const headers: Record<string, string> = {
        Authorization: basic(client.id, client.secret),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      };
      try {
        const answer = await call(`${baseUrl}${to}`, { method, headers, body });
        return answer.status < 500 && answer;
      } catch (error) {
        if (error instanceof NoAnswer) return false;
        throw error;
      }
    });

  async function live(index: number): Promise<string> {
    const fields = { personId: `person-${index}`, externalId: `order ${index}` };
    const prerequisites = [{ type: 'CONSENT', url: 'https://consent.example/1' }];
    const made = await insist('POST', path, { ...fields, prerequisites }, `make-${index}`);
    expect(made.status, made.text).to.equal(201);
    const { id, prerequisites: asked } = made.body as Inquiry;
    const one = `${pathOf(id)}/prerequisites/${asked[0]!.id}`;
    const set = await insist('PATCH', one, { completed: true }, `consent-${index}`);
    expect(set.status, set.text).to.equal(200);
    const done = await insist('POST', `${pathOf(id)}/completion`, { authorizationCode: 'code' }, `done-${index}`);
    expect(done.body, done.text).to.include({ completed: true, authorizationCode: 'code' });
    return id;
  }

  it('each is there once, complete, and its completion and that of its prerequisite are told once', async () => {
    const lives = Promise.all(Array.from({ length: count }, (_value, index) => live(index)));
    await eventually(async () => (await listed()).length > count / 4);
    await dies.kill();
    const ids = await lives;

    const all = await listed();
    expect(new Set(all.map(({ id }) => id))).to.deep.equal(new Set(ids));
    expect(all).to.have.length(count);
    expect(all.every(({ completed }) => completed)).to.equal(true);
    // Delivery is at least once: an event whose sender was killed comes again, under the same id.
    const expected = ids.flatMap((id) => [`inquiry.completed ${id}`, `prerequisite.completed ${id}`]).sort();
    await eventually(() => told().length >= expected.length);
    expect(told().sort()).to.deep.equal(expected);
  });

  async function listed(): Promise<InquirySummary[]> {
    const headers = { Authorization: basic(client.id, client.secret) };
    const answer = await call(`${lives.baseUrl}${path}?size=5000`, { headers }).catch(() => undefined);
    return answer?.status === 200 ? (answer.body as { data: InquirySummary[] }).data : [];
  }

  /** Type and inquiry of each event but updates, by `webhook-id` once. */
  function told(): string[] {
    const events = new Map<unknown, TestEvent>();
    for (const seen of receiver.seen) {
      if (seen.url === `/${client.tenantId}`) events.set(seen.headers['webhook-id'], verified(secret, seen));
    }
    return [...events.values()]
      .filter(({ type }) => type !== 'inquiry.updated')
      .map(({ type, data }) => `${type} ${data.inquiryId}`);
  }
});
