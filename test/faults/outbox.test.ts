import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import type { Inquiry } from '../../src/inquiries/inquiries.schema.js';
import { claimJobs } from '../../src/jobs/jobs.store.js';
import { readMessages, type Claimed } from '../../src/outbox/outbox.store.js';
import { replayMessages } from '../../src/outbox/admin.js';
import { recordOutcomes } from '../../src/outbox/recordOutcomes.js';
import { idToBytes } from '../../src/storage/ids.js';
import { bootApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { buildClient, buildInquiry, type BuiltClient, useStore } from '../support/factories.js';
import { patchAs, pathOf, sms } from '../support/inquiries.js';
import {
  buildCallback,
  messagesOf,
  queueEvent,
  startDispatcher,
  type TestDispatcher,
  verified,
  type TestDispatcherOptions,
} from '../support/outbox.js';
import { startServer } from '../support/process.js';
import { longTimeouts } from '../support/settings.js';
import { startStopwatch } from '../support/stopwatch.js';
import { testServer, type Seen, type TestServer } from '../support/target-server.js';
import { allowedMs } from '../support/environment.js';

describe('the outbox, when things fail', () => {
  const store = useStore();
  let client: BuiltClient;
  let inquiry: Inquiry;
  let receiver: TestServer;
  let dispatcher: TestDispatcher | undefined;
  /** What the receiver does with the nth request, counted from 1. */
  let answer: (response: ServerResponse, nth: number, request: Seen) => void;
  beforeEach(async () => {
    receiver = await testServer((request, response) => answer(response, receiver.seen.length, request));
    client = await buildClient(store);
    inquiry = await buildInquiry(store, client.tenantId);
  });
  afterEach(async () => {
    await dispatcher?.stop();
    dispatcher = undefined;
    await receiver.close();
  });

  const start = (options: TestDispatcherOptions = {}): void => {
    dispatcher = startDispatcher({ ports: [receiver.port], ...options });
  };
  const callback = (): Promise<string> => buildCallback(store, client.tenantId, `${receiver.origin}/events`);
  const queue = (...bodies: string[]): Promise<void> => queueEvent(store, client.tenantId, inquiry.id, bodies);
  const messages = (): ReturnType<typeof messagesOf> => messagesOf(store, client.tenantId);
  const ids = (): unknown[] => receiver.seen.map(({ headers }) => headers['webhook-id']);
  const status = (code: number, headers: Record<string, string> = {}): typeof answer => {
    return (response) => response.writeHead(code, headers).end();
  };
  /** As if the time had passed. */
  const endLeases = (): Promise<unknown> =>
    store
      .database('jobs')
      .where({ tenant_id: idToBytes(client.tenantId) })
      .update({ due_at: store.database.raw('UTC_TIMESTAMP(3)') });
  const settled = (): Promise<unknown> =>
    eventually(async () => (await messages()).every(({ state }) => state !== 'pending'));

  it('kill -9 between sending and marking: sent again by the next process, under the same id', async () => {
    const settings = {
      SMS_GATEWAY_URL: `${receiver.origin}/send`,
      OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}`,
      OUTBOX_TIMEOUT_MS: '60000',
      ...longTimeouts,
    };
    const doomed = await startServer(settings);
    const gone = new Promise<void>((resolve) => {
      let killed = false;
      answer = (response, _nth, request) => {
        // What other tests left waiting comes here, too.
        if (killed || !request.body.includes(client.tenantId)) return void response.writeHead(200).end();
        killed = true;
        void doomed.kill().then(resolve);
      };
    });
    const patched = await patchAs(doomed.baseUrl, client)(pathOf(inquiry.id), {
      notifications: [sms(client.tenantId)],
    });
    expect(patched.status, patched.text).to.equal(200);
    await gone;
    expect(await messages()).to.have.nested.property('[0].state', 'pending');

    const next = await bootApp(settings);
    await endLeases();
    await settled();
    await next.stop();
    const own = receiver.seen.filter(({ body }) => body.includes(client.tenantId));
    const keys = own.map(({ headers }) => headers['idempotency-key']);
    const [message] = await messages();
    expect(keys).to.deep.equal([message!.id, message!.id]);
    expect(message).to.include({ state: 'delivered', attempts: 2 });
  });

  it('a server that stops ends what hangs, and another one sends it at once', async () => {
    await callback();
    answer = (response, nth) => (nth === 1 ? undefined : response.writeHead(200).end());
    start({ leaseMs: 60_000, variables: { OUTBOX_TIMEOUT_MS: '30000' } });
    await queue('{}');
    await eventually(() => receiver.seen.length === 1);
    await dispatcher?.stop();
    expect((await messages())[0]).to.include({ state: 'pending', error: 'the server stopped meanwhile' });
    start();
    await settled();
    expect(ids()).to.deep.equal([(await messages())[0]!.id, (await messages())[0]!.id]);
  });

  it('a last attempt that our own stop cut short is made again', async () => {
    await callback();
    answer = (response, nth) => {
      if (nth !== 2) response.writeHead(nth === 1 ? 500 : 200).end();
    };
    const retryDelaysMs = [20];
    start({ retryDelaysMs });
    await queue('{}');
    await eventually(() => receiver.seen.length === 2);
    await dispatcher?.stop();
    start({ retryDelaysMs });
    await settled();
    expect((await messages())[0]).to.include({ state: 'delivered', attempts: 2 });
    expect(receiver.seen).to.have.length(3);
  });

  it('a lease that ends is taken over, and its late result does not count', async () => {
    const secret = await callback();
    answer = status(500);
    await queue('{"type":"late"}');
    const own = { tenantId: client.tenantId, kind: 'WEBHOOK' } as const;
    const take = async (): Promise<Claimed[]> =>
      readMessages(store.database, await claimJobs(store.database, own, { most: 20, leaseMs: 60_000 }));
    const [first] = await take();
    expect(await take()).to.deep.equal([]);
    await endLeases();
    const [second] = await take();
    expect(second).to.include({ id: first!.id, attempts: 2, fence: 2 });
    await recordOutcomes(store, [{ message: first!, outcome: { kind: 'delivered' } }], 60_000);
    expect((await messages())[0]).to.include({ state: 'pending', attempts: 2 });
    answer = status(200);
    await endLeases();
    start();
    await settled();
    expect(verified(secret, receiver.seen[0]!).type).to.equal('late');
    expect((await messages())[0]).to.include({ state: 'delivered', attempts: 3 });
    await recordOutcomes(
      store,
      [{ message: second!, outcome: { kind: 'dead', error: 'late', reason: 'undeliverable' } }],
      60_000,
    );
    expect((await messages())[0]).to.include({ state: 'delivered', error: null });
  });

  it('a receiver that hangs, and one that answers too late, are tried again under the same id', async () => {
    await callback();
    answer = (response, nth) => {
      if (nth === 1) return;
      if (nth === 2) setTimeout(() => response.writeHead(200).end(), 5000);
      else response.writeHead(200).end();
    };
    start({ variables: { OUTBOX_TIMEOUT_MS: '2500' } });
    await queue('{"type":"slow"}');
    await settled();
    const [message] = await messages();
    expect(message).to.include({ state: 'delivered', attempts: 3 });
    expect(ids()).to.deep.equal(Array(3).fill(message!.id));
    expect(new Set(receiver.seen.map(({ body }) => body)).size).to.equal(1);
  });

  it('429 with Retry-After is waited for, whatever the schedule says', async () => {
    await callback();
    const times: number[] = [];
    const watch = startStopwatch();
    let waitedMs = 0;
    answer = (response, nth) => {
      times.push(performance.now());
      waitedMs = watch.stop();
      if (nth === 1) response.writeHead(429, { 'Retry-After': '1' }).end();
      else response.writeHead(200).end();
    };
    start({ retryDelaysMs: [1] });
    await queue('{}');
    await settled();
    expect(times).to.have.length(2);
    expect(times[1]! - times[0]!).to.be.at.least(990);
    expect(waitedMs).to.be.at.most(allowedMs(2000));
  });

  /** What a receiver that always answers so comes to. */
  async function deadLetter(code: number, attempts: number): Promise<void> {
    await callback();
    answer = status(code, { Location: `${receiver.origin}/elsewhere` });
    start();
    await queue('{}');
    await settled();
    expect((await messages())[0]).to.include({ state: 'dead', attempts, error: `answered ${code}` });
    expect(receiver.seen.map(({ url }) => url)).to.deep.equal(Array(attempts).fill('/events'));
  }
  for (const code of [400, 401, 404, 410, 422]) it(`${code} is a dead letter at once`, () => deadLetter(code, 1));
  for (const code of [301, 302, 307, 308, 408, 429, 500, 503]) {
    it(`${code} is tried again, and a dead letter after the last attempt`, () => deadLetter(code, 3));
  }

  it('a connection that breaks off, and a port where nobody listens', async () => {
    await callback();
    answer = (response, nth) => (nth === 1 ? response.destroy() : response.writeHead(200).end());
    start();
    await queue('{}');
    await settled();
    expect((await messages())[0]).to.include({ state: 'delivered', attempts: 2 });
    await receiver.close();
    await queue('{}');
    await settled();
    expect((await messages())[1]).to.include({
      state: 'dead',
      attempts: 3,
      error: 'connection refused (ECONNREFUSED)',
    });
  });

  it('an address that is private and not allowed is never reached', async () => {
    await callback();
    answer = status(200);
    start({ ports: [1] });
    await queue('{}');
    await settled();
    const error = 'the host is not a public address';
    expect((await messages())[0]).to.include({ state: 'dead', attempts: 3, error });
    expect(receiver.seen).to.deep.equal([]);
  });

  it('a poison message is a dead letter, and holds nobody up', async () => {
    await callback();
    answer = status(200);
    await queue(...Array<string>(50).fill('{}'));
    const all = await messages();
    const poison = [all[0]!.id, all[20]!.id, all[49]!.id];
    await store
      .database('outbox')
      .whereIn('id', poison.map(idToBytes))
      .update({ content: randomBytes(64) });
    start();
    await settled();
    const after = await messages();
    expect(after.filter(({ state }) => state === 'dead').map(({ id }) => id)).to.deep.equal(poison);
    expect(after[0]!.error).to.contain('the content cannot be opened');
    expect(receiver.seen).to.have.length(47);
  });

  it('a message that process after process died of is given up without being sent again', async () => {
    await callback();
    answer = status(200);
    await queue('{}');
    await store.database('jobs').where('tenant_id', idToBytes(client.tenantId)).update({ attempts: 3 });
    start();
    await settled();
    expect((await messages())[0]).to.include({ state: 'dead', error: 'no result of the last attempt' });
    expect(receiver.seen).to.deep.equal([]);
  });

  it('a callback whose secret is damaged fails alone', async () => {
    await callback();
    const other = await buildClient(store);
    const { id } = await buildInquiry(store, other.tenantId);
    await buildCallback(store, other.tenantId, `${receiver.origin}/other`);
    await store
      .database('callbacks')
      .where('owner_id', idToBytes(client.tenantId))
      .update({ secret: randomBytes(64) });
    answer = status(200);
    start();
    await queue('{}');
    await queueEvent(store, other.tenantId, id, ['{}']);
    await settled();
    expect((await messages())[0]).to.include({ state: 'dead', error: 'callback unreadable' });
    await eventually(async () => (await messagesOf(store, other.tenantId, 'delivered')).length === 1);
  });

  it('dead letters go again under the same id', async () => {
    await callback();
    answer = (response, nth) => response.writeHead(nth === 1 ? 410 : 200).end();
    start();
    await queue('{}');
    await settled();
    expect(await replayMessages(store, { tenantId: client.tenantId }, () => undefined)).to.equal(1);
    await settled();
    const [message] = await messages();
    expect(message).to.include({ state: 'delivered', attempts: 1 });
    expect(ids()).to.deep.equal([message!.id, message!.id]);
  });
});
