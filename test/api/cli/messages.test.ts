import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Inquiry } from '../../../src/inquiries/inquiries.schema.js';
import type { MessageSummary } from '../../../src/outbox/admin.js';
import { purgeEnded } from '../../../src/outbox/outbox.store.js';
import { idToBytes } from '../../../src/storage/ids.js';
import { done, verdict, verdictWith, type CommandResult } from '../../support/cli.js';
import { buildInquiry, buildTenant, useStore } from '../../support/factories.js';
import { sms } from '../../support/inquiries.js';
import { messagesOf, queueEvent, updateAs, verified } from '../../support/outbox.js';
import { testServer } from '../../support/target-server.js';

async function refused(message: RegExp, ...args: string[]): Promise<void> {
  const ran = await verdict(...args);
  expect(ran, ran.stderr).to.include({ exit: 1, stdout: '' });
  expect(ran.stderr).to.match(message);
}

describe('verdict tenant callback, outbox, inquiry', () => {
  const store = useStore();
  let tenant: string;
  beforeEach(async () => {
    tenant = await buildTenant(store);
  });

  describe('tenant callback', () => {
    const callback = (action: string, ...args: string[]): string[] => [
      ...['tenant', 'callback', action, '--tenant', tenant],
      ...args,
    ];

    it('set refuses an address that every delivery would refuse', async () => {
      for (const host of ['10.0.0.7', '2130706433', 'a.localhost']) {
        await refused(/OUTBOUND_ALLOW as /, ...callback('set', '--url', `http://${host}/events`));
      }
      const allowed = { OUTBOUND_ALLOW: '127.0.0.1:3000' };
      const ran = await verdictWith(allowed, ...callback('set', '--url', 'http://127.0.0.1:3000/events'));
      expect(ran.exit, ran.stderr).to.equal(0);
    });

    it('test sends a signed ping, and says what came back', async () => {
      let status = 204;
      const receiver = await testServer((_request, response) => response.writeHead(status).end());
      try {
        const settings = { OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` };
        const url = `${receiver.origin}/events`;
        const set = await verdictWith(settings, ...callback('set', '--url', url), '--json');
        const { secret } = set.json as { secret: string };
        const test = (): Promise<CommandResult> => verdictWith(settings, ...callback('test'), '--json');
        const ran = await test();
        expect(ran.exit, ran.stderr).to.equal(0);
        const told = ran.json as { id: string; ms: number };
        expect(told).to.deep.equal({
          tenantId: tenant,
          url,
          id: told.id,
          delivered: true,
          answer: 'answered 204',
          ms: told.ms,
        });
        const [seen] = receiver.seen;
        expect(seen?.headers['webhook-id']).to.equal(told.id);
        expect(verified(secret, seen!)).to.deep.include({ type: 'ping', data: { tenantId: tenant } });
        status = 404;
        const refusedOne = await test();
        expect(refusedOne.exit).to.equal(1);
        expect(refusedOne.json).to.include({ delivered: false, answer: 'answered 404' });
        expect(await messagesOf(store, tenant), 'past the outbox').to.deep.equal([]);
      } finally {
        await receiver.close();
      }
    });
  });

  describe('outbox', () => {
    let inquiryId: string;
    beforeEach(async () => {
      inquiryId = (await buildInquiry(store, tenant)).id;
    });
    const bury = async (): Promise<void> => {
      const own = { tenant_id: idToBytes(tenant) };
      await store.database('outbox').where(own).update({ state: 'dead', attempts: 3 });
      await store.database('jobs').where(own).delete();
    };
    const list = async (...args: string[]): Promise<MessageSummary[]> =>
      (await done<{ messages: MessageSummary[] }>('outbox', 'list', '--tenant', tenant, ...args)).messages;

    it('list shows messages, newest first, without their contents', async () => {
      const asked = Date.now();
      await queueEvent(store, tenant, inquiryId, ['{"a":1}', '{"b":2}', '{"c":3}']);
      const all = await list();
      expect(all).to.have.length(3);
      expect(all[0]).to.deep.equal({
        id: all[0]!.id,
        tenantId: tenant,
        inquiryId,
        channel: 'WEBHOOK',
        state: 'pending',
        attempts: 0,
        dueAt: all[0]!.dueAt,
        error: null,
        createdAt: all[0]!.createdAt,
        updatedAt: all[0]!.createdAt,
      });
      expect(Date.parse(all[0]!.dueAt!)).to.be.within(asked - 5000, Date.now() + 5000);
      expect(all.map(({ id }) => id)).to.deep.equal([...all.map(({ id }) => id)].sort().reverse());
      expect(await list('--size', '1')).to.deep.equal(all.slice(0, 1));
      expect(await list('--older-than', all[0]!.id)).to.deep.equal(all.slice(1));
      expect(await list('--state', 'dead')).to.deep.equal([]);
      const people = await verdict('outbox', 'list', '--tenant', tenant);
      expect(people.stdout).to.include(all[0]!.id).and.to.include('pending');
      expect((await verdict('outbox', 'list', '--tenant', randomUUID())).stdout).to.equal('nothing found\n');
    });

    it('retry queues dead letters again: those named, or a tenant’s 1,200', async () => {
      await queueEvent(store, tenant, inquiryId, Array<string>(1200).fill('{}'));
      await bury();
      const [first, second] = await messagesOf(store, tenant);
      expect(await done('outbox', 'retry', first!.id, second!.id)).to.deep.equal({ retried: 2 });
      expect(await list('--state', 'dead', '--size', '5000')).to.have.length(1198);
      expect(await done('outbox', 'retry', '--all', '--tenant', tenant)).to.deep.equal({ retried: 1198 });
      const after = await messagesOf(store, tenant);
      expect(after.every(({ state, attempts, dueAt }) => state === 'pending' && attempts === 0 && dueAt)).to.equal(
        true,
      );
    });

    it('retry makes what waits for its next attempt due at once, and leaves what is being sent alone', async () => {
      await queueEvent(store, tenant, inquiryId, ['{"a":1}', '{"b":2}']);
      const [waiting, sending] = await messagesOf(store, tenant);
      const later = { due_at: store.database.raw('TIMESTAMPADD(HOUR, 1, UTC_TIMESTAMP(3))'), attempts: 2 };
      await store.database('jobs').where('id', idToBytes(waiting!.id)).update(later);
      await store
        .database('jobs')
        .where('id', idToBytes(sending!.id))
        .update({ ...later, claimed: true });
      await refused(/is neither a dead letter nor waiting/, 'outbox', 'retry', waiting!.id, sending!.id);
      expect(await done('outbox', 'retry', waiting!.id)).to.deep.equal({ retried: 1 });
      const [pushed, left] = await messagesOf(store, tenant);
      expect(Date.parse(pushed!.dueAt!)).to.be.at.most(Date.now() + 60_000);
      expect(Date.parse(left!.dueAt!)).to.be.greaterThan(Date.now() + 60_000);
    });

    it('list shows those of one inquiry; a notification is named as its inquiry names it', async () => {
      await queueEvent(store, tenant, inquiryId, ['{}']);
      const other = await buildInquiry(store, tenant);
      await updateAs(store, tenant, other.id, { notifications: [sms()] });
      const shown = await done<Inquiry>('inquiry', 'show', other.id);
      const { messages } = await done<{ messages: MessageSummary[] }>('outbox', 'list', '--inquiry', other.id);
      expect(messages.map(({ id }) => id)).to.deep.equal(shown.notifications.map(({ id }) => id));
      expect(shown.notifications[0]).to.include({ state: 'queued' });
      expect(await done('outbox', 'list', '--inquiry', randomUUID())).to.deep.equal({ messages: [] });
    });

    /** Ids of tests that move the clock are ahead of it. */
    const tomorrow = (): Date => new Date(Date.now() + 24 * 60 * 60 * 1000);

    it('what was sent stays as long as its inquiry names it; what was dropped unsent has failed', async () => {
      await updateAs(store, tenant, inquiryId, { notifications: [sms('a'), sms('b')] });
      const [sent, unsent] = (await done<Inquiry>('inquiry', 'show', inquiryId)).notifications;
      await store.database('outbox').where('id', idToBytes(sent!.id)).update({ state: 'delivered' });
      await refused(/was sent/, 'outbox', 'drop', sent!.id);
      await purgeEnded(store.database, tomorrow());
      expect(await done('outbox', 'drop', unsent!.id)).to.deep.equal({ dropped: 1 });
      const { notifications } = await done<Inquiry>('inquiry', 'show', inquiryId);
      expect(notifications.map(({ state }) => state)).to.deep.equal(['sent', 'failed']);
      await updateAs(store, tenant, inquiryId, { notifications: [] });
      await purgeEnded(store.database, tomorrow());
      expect(await list('--state', 'delivered')).to.deep.equal([]);
    });

    it('drop deletes dead letters, and others when they are named', async () => {
      await queueEvent(store, tenant, inquiryId, ['{}', '{}']);
      await bury();
      await queueEvent(store, tenant, inquiryId, ['{}', '{}']);
      expect(await done('outbox', 'drop', '--all', '--tenant', tenant)).to.deep.equal({ dropped: 2 });
      const [pending, other] = await messagesOf(store, tenant);
      expect(await done('outbox', 'drop', pending!.id)).to.deep.equal({ dropped: 1 });
      expect((await messagesOf(store, tenant)).map(({ id }) => id)).to.deep.equal([other!.id]);
    });

    it('refuses what cannot be, and does nothing then', async () => {
      await queueEvent(store, tenant, inquiryId, ['{}', '{}']);
      const [pending] = await messagesOf(store, tenant);
      await refused(/is neither a dead letter nor waiting/, 'outbox', 'retry', randomUUID());
      await refused(/is not there/, 'outbox', 'drop', pending!.id, randomUUID());
      await refused(/is not there/, 'outbox', 'drop', pending!.id, '--tenant', randomUUID());
      const nobody = randomUUID();
      for (const verb of ['retry', 'drop'])
        await refused(new RegExp(`There is no tenant ${nobody}`), 'outbox', verb, '--all', '--tenant', nobody);
      expect(await messagesOf(store, tenant)).to.have.length(2);
    });
  });

  describe('inquiry', () => {
    const create = (...args: string[]): Promise<Inquiry> =>
      done('inquiry', 'create', '--tenant', tenant, '--person', 'p-1', ...args);

    it('complete marks prerequisites, and the inquiry with the last of them', async () => {
      const made = await create('--prerequisite', 'A=https://a.example', '--prerequisite', 'B=https://b.example');
      const [a, b] = made.prerequisites.map(({ id }) => id);
      const half = await done<Inquiry>('inquiry', 'complete', made.id, '--prerequisite', a!);
      expect(half.completed).to.equal(false);
      expect(half.prerequisites.map(({ completed }) => completed)).to.deep.equal([true, false]);
      const whole = await done<Inquiry>(
        ...['inquiry', 'complete', made.id, '--prerequisite', b!, '--authorization-code', 'code-1'],
      );
      expect(whole).to.include({ completed: true, authorizationCode: 'code-1' });
      expect(await done('inquiry', 'show', made.id)).to.deep.equal(whole);
      expect(await done('inquiry', 'complete', made.id)).to.deep.equal(whole);
      const plain = await create();
      expect(await done<Inquiry>('inquiry', 'complete', plain.id)).to.include({ completed: true });
    });

    it('delete removes an inquiry with all that names its person', async () => {
      const made = await create('--prerequisite', 'A=https://a.example');
      await updateAs(store, tenant, made.id, { notifications: [sms()] });
      await refused(/no inquiry/, 'inquiry', 'delete', made.id, '--tenant', await buildTenant(store));
      expect(await done('inquiry', 'delete', made.id)).to.deep.equal({ id: made.id, tenantId: tenant, deleted: true });
      for (const table of ['inquiries', 'prerequisites', 'outbox', 'inquiry_answers']) {
        expect(await store.database(table).where('tenant_id', idToBytes(tenant)), table).to.deep.equal([]);
      }
      await refused(/no inquiry/, 'inquiry', 'delete', made.id);
    });

    it('create refuses what no inquiry may have', async () => {
      const rows: [RegExp, person: string, ...args: string[]][] = [
        [/\/personId must/, ''],
        [/\/personId must/, 'x'.repeat(256)],
        [/\/externalId must/, 'x', '--external-id', 'x'.repeat(256)],
        [/prerequisites\/0\/url must be an http/, 'x', '--prerequisite', 'A=javascript:alert(1)'],
        [/without credentials/, 'x', '--prerequisite', 'A=https://u:p@a.example'],
        [/prerequisites\/0\/type must/, 'x', '--prerequisite', '1=https://a.example'],
      ];
      for (const [message, ...args] of rows)
        await refused(message, 'inquiry', 'create', '--tenant', tenant, '--person', ...args);
    });
  });
});
