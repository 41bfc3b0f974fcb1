import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Inquiry } from '../../../src/inquiries/inquiries.schema.js';
import type { MessageSummary } from '../../../src/outbox/admin.js';
import { idToBytes } from '../../../src/storage/ids.js';
import { timestamp, uuidV7 } from '../../support/asserts.js';
import { done, verdict } from '../../support/cli.js';
import { buildInquiry, buildTenant, openStore, type Store } from '../../support/factories.js';
import { messagesOf, queueEvent } from '../../support/outbox.js';

async function refused(message: RegExp, ...args: string[]): Promise<void> {
  const ran = await verdict(...args);
  expect(ran, ran.stderr).to.include({ exit: 1, stdout: '' });
  expect(ran.stderr).to.match(message);
}

describe('verdict inquiry, tenant callback, outbox', () => {
  let store: Store;
  let tenant: string;
  before(() => {
    store = openStore();
  });
  after(() => store.close());
  beforeEach(async () => {
    tenant = await buildTenant(store);
  });

  const create = (...args: string[]): Promise<Inquiry & { tenantId: string }> =>
    done('inquiry', 'create', '--tenant', tenant, '--person', 'p-1', ...args);

  describe('inquiry', () => {
    it('create makes one, show shows it, to whoever knows its id', async () => {
      const made = await create(
        '--external-id',
        'order 7',
        '--prerequisite',
        'CONSENT=https://consent.example/a?b=c',
        '--prerequisite',
        'IDENTITY=https://id.example',
      );
      expect(made).to.deep.equal({
        tenantId: tenant,
        id: made.id,
        personId: 'p-1',
        url: made.url,
        externalId: 'order 7',
        skipConsentMessages: false,
        completed: false,
        createdAt: made.createdAt,
        updatedAt: made.createdAt,
        notifications: [],
        redirect: { onSuccess: null, onError: null },
        authorizationCode: null,
        prerequisites: [
          { id: made.prerequisites[0]!.id, type: 'CONSENT', completed: false, url: 'https://consent.example/a?b=c' },
          { id: made.prerequisites[1]!.id, type: 'IDENTITY', completed: false, url: 'https://id.example' },
        ],
      });
      expect(made.id).to.match(uuidV7);
      expect(made.createdAt).to.match(timestamp);
      expect(made.url).to.match(/^http:\/\/localhost:3000\/inquiries\/[\w-]{24}$/);
      expect(await done('inquiry', 'show', made.id)).to.deep.equal(made);
      expect(await done('inquiry', 'show', made.id, '--tenant', tenant)).to.deep.equal(made);
      const table = await verdict('inquiry', 'show', made.id);
      expect(table.stdout).to.include(made.url).and.to.include('IDENTITY open https://id.example');
    });

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

    it('refuses what cannot be', async () => {
      const made = await create('--prerequisite', 'A=https://a.example');
      const creating = ['inquiry', 'create', '--tenant', tenant, '--person'];
      await refused(/no tenant/, 'inquiry', 'create', '--tenant', randomUUID(), '--person', 'x');
      await refused(/1 to 255/, ...creating, '');
      await refused(/1 to 255/, ...creating, 'x'.repeat(256));
      await refused(/0 to 255/, ...creating, 'x', '--external-id', 'x'.repeat(256));
      await refused(/http\(s\)/, ...creating, 'x', '--prerequisite', 'A=javascript:alert(1)');
      await refused(/http\(s\)/, ...creating, 'x', '--prerequisite', 'A=https://u:p@a.example');
      await refused(/a letter and/, ...creating, 'x', '--prerequisite', '1=https://a.example');
      await refused(/no inquiry/, 'inquiry', 'show', randomUUID());
      await refused(/no inquiry/, 'inquiry', 'show', made.id, '--tenant', await buildTenant(store));
      await refused(/no inquiry/, 'inquiry', 'complete', randomUUID());
      await refused(/no prerequisite/, 'inquiry', 'complete', made.id, '--prerequisite', randomUUID());
    });
  });

  describe('tenant callback', () => {
    const callback = (action: string, ...args: string[]): string[] => [
      ...['tenant', 'callback', action, '--tenant', tenant],
      ...args,
    ];

    it('set makes a secret the first time and keeps it later; rotate makes the next one', async () => {
      const first = await done<{ secret: string }>(...callback('set', '--url', 'https://a.example/events'));
      expect(first).to.deep.equal({ tenantId: tenant, url: 'https://a.example/events', secret: first.secret });
      expect(first.secret).to.match(/^whsec_[\w+/]{43}=$/);
      expect(await done(...callback('set', '--url', 'https://b.example'))).to.include({ secret: null });
      const rotated = await done<{ secret: string; previousExpiresAt: string }>(...callback('rotate'));
      expect(rotated.secret)
        .to.match(/^whsec_/)
        .and.not.equal(first.secret);
      const overlapS = (Date.parse(rotated.previousExpiresAt) - Date.now()) / 1000;
      expect(overlapS).to.be.within(86_300, 86_400);
      const people = await verdict(...callback('rotate'));
      expect(people.stdout).to.match(/secret +whsec_/);
      expect(people.stderr).to.include('shown this once');
    });

    it('refuses what cannot be', async () => {
      await refused(/has no callback/, ...callback('rotate'));
      for (const url of ['ftp://a.example', 'https://u:p@a.example', 'a.example', 'javascript:alert(1)']) {
        await refused(/http\(s\) URL/, ...callback('set', '--url', url));
      }
      await refused(/no tenant/, 'tenant', 'callback', 'set', '--tenant', randomUUID(), '--url', 'https://a.example');
    });
  });

  describe('outbox', () => {
    let inquiryId: string;
    beforeEach(async () => {
      inquiryId = (await buildInquiry(store, tenant)).id;
    });
    const bury = (): Promise<number> =>
      store
        .database('outbox')
        .where('tenant_id', idToBytes(tenant))
        .update({ state: 'dead', due_at: null, attempts: 3 });
    const list = async (...args: string[]): Promise<MessageSummary[]> =>
      (await done<{ messages: MessageSummary[] }>('outbox', 'list', '--tenant', tenant, ...args)).messages;

    it('list shows messages, newest first, without their contents', async () => {
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
      expect(Math.abs(Date.parse(all[0]!.dueAt!) - Date.now())).to.be.lessThan(5000);
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
      await refused(/is no dead letter/, 'outbox', 'retry', pending!.id);
      await refused(/is not there/, 'outbox', 'drop', pending!.id, randomUUID());
      await refused(/is not there/, 'outbox', 'drop', pending!.id, '--tenant', randomUUID());
      expect(await messagesOf(store, tenant)).to.have.length(2);
    });
  });

  const id = randomUUID();
  const misused: string[][] = [
    ['inquiry'],
    ['inquiry', 'create', '--person', 'x'],
    ['inquiry', 'create', '--tenant', id],
    ['inquiry', 'create', '--tenant', id, '--person', 'x', '--prerequisite', 'A'],
    ['inquiry', 'show'],
    ['inquiry', 'show', 'x'],
    ['inquiry', 'complete', id, '--prerequisite', 'x'],
    ['tenant', 'callback', 'set', '--tenant', id],
    ['tenant', 'callback', 'rotate'],
    ['outbox', 'list', '--state', 'lost'],
    ['outbox', 'list', '--size', '0'],
    ['outbox', 'retry'],
    ['outbox', 'retry', id, '--all'],
    ['outbox', 'drop', 'x'],
    ['outbox', 'drop', '--tenant', id],
  ];
  for (const args of misused) {
    it(`answer exit 2 to: ${args.map((each) => (each === id ? '0190…' : each)).join(' ')}`, async () => {
      expect(await verdict(...args)).to.include({ exit: 2, stdout: '' });
    });
  }

  for (const command of [
    ...['inquiry create', 'inquiry show', 'inquiry complete', 'tenant callback set', 'tenant callback rotate'],
    ...['outbox list', 'outbox retry', 'outbox drop'],
  ]) {
    it(`${command} --help shows an example`, async () => {
      const ran = await verdict(...command.split(' '), '--help');
      expect(ran.exit).to.equal(0);
      expect(ran.stdout).to.include(`  $ verdict ${command}`);
    });
  }
});
