import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Inquiry } from '../../../src/inquiries/inquiries.schema.js';
import { idToBytes } from '../../../src/storage/ids.js';
import { timestamp, uuidV7 } from '../../support/asserts.js';
import { done, verdict } from '../../support/cli.js';
import { buildTenant, useStore } from '../../support/factories.js';
import { sms } from '../../support/inquiries.js';
import { updateAs } from '../../support/outbox.js';

async function refused(message: RegExp, ...args: string[]): Promise<void> {
  const ran = await verdict(...args);
  expect(ran, ran.stderr).to.include({ exit: 1, stdout: '' });
  expect(ran.stderr).to.match(message);
}

describe('verdict inquiry', () => {
  const store = useStore();
  let tenant: string;
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

    it('list shows them, newest first, without what names people', async () => {
      const made = [await create(), await create('--external-id', 'order 7'), await create()];
      const list = async (...args: string[]): Promise<Record<string, unknown>[]> =>
        (await done<{ inquiries: Record<string, unknown>[] }>('inquiry', 'list', '--tenant', tenant, ...args))
          .inquiries;
      const all = await list();
      expect(all.map((each) => each['id'])).to.deep.equal(made.map((each) => each.id).reverse());
      const { id, createdAt, updatedAt } = made[1]!;
      expect(all[1]).to.deep.equal({
        id,
        tenantId: tenant,
        externalId: 'order 7',
        skipConsentMessages: false,
        completed: false,
        createdAt,
        updatedAt,
      });
      expect(await list('--size', '1')).to.deep.equal(all.slice(0, 1));
      expect(await list('--older-than', String(all[0]?.['id']))).to.deep.equal(all.slice(1));
      expect((await verdict('inquiry', 'list', '--tenant', tenant)).stdout).to.include('order 7');
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

    it('refuses what cannot be', async () => {
      const made = await create('--prerequisite', 'A=https://a.example');
      const creating = ['inquiry', 'create', '--tenant', tenant, '--person'];
      await refused(/no tenant/, 'inquiry', 'create', '--tenant', randomUUID(), '--person', 'x');
      await refused(/\/personId must/, ...creating, '');
      await refused(/\/personId must/, ...creating, 'x'.repeat(256));
      await refused(/\/externalId must/, ...creating, 'x', '--external-id', 'x'.repeat(256));
      await refused(
        /prerequisites\/0\/url must be an http/,
        ...creating,
        'x',
        '--prerequisite',
        'A=javascript:alert(1)',
      );
      await refused(/without credentials/, ...creating, 'x', '--prerequisite', 'A=https://u:p@a.example');
      await refused(/prerequisites\/0\/type must/, ...creating, 'x', '--prerequisite', '1=https://a.example');
      await refused(/no inquiry/, 'inquiry', 'show', randomUUID());
      await refused(/no inquiry/, 'inquiry', 'show', made.id, '--tenant', await buildTenant(store));
      await refused(/no inquiry/, 'inquiry', 'complete', randomUUID());
      await refused(/no prerequisite/, 'inquiry', 'complete', made.id, '--prerequisite', randomUUID());
    });
  });
});
