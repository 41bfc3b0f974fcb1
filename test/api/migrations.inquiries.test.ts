import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { migrationConfig } from '../../db/knexfile.js';
import { migrate } from '../../db/migrate.js';
import { findInquiry } from '../../src/inquiries/inquiries.store.js';
import { createEncryption } from '../../src/storage/encryption.js';
import { openDatabase } from '../../src/storage/database.js';
import { idToBytes, newId } from '../../src/storage/ids.js';
import { insertTenant } from '../../src/workspaces/tenants.store.js';
import { scratchDatabase, type ScratchDatabase } from '../support/scratch.js';
import { testEnvironment } from '../support/settings.js';

describe('the migration that seals links of inquiries', () => {
  let scratch: ScratchDatabase;
  let database: Knex;
  const key = randomBytes(32);
  const encryption = createEncryption(key);
  const ref = { tenantId: '', id: newId() };
  const url = 'https://flow.example/start/abc';
  before(async () => {
    scratch = await scratchDatabase(testEnvironment()['DATABASE_URL']!);
    database = openDatabase(scratch.url, { poolSize: 2, acquireTimeoutMs: 30_000 });
    for (const name of ['0001_tenancy', '0002_decisions', '0003_environments', '0004_runs', '0005_inquiries'])
      await database.migrate.up({ ...migrationConfig, name });
    ref.tenantId = (await insertTenant(database, 'Test tenant')).id;
  });
  after(async () => {
    await database.destroy();
    await scratch.drop();
  });

  const seal = (text: string, column: string): Buffer =>
    encryption.seal(text, `inquiries/${ref.tenantId}/${ref.id}/${column}`);
  const list = ['a', 'b', 'c'].map((message) => ({ type: 'SMS', to: '+358401234567', message }));

  it('seals those that are there, gives their notifications the ids of their messages, and asks for the key', async () => {
    const at = new Date();
    const ids = { tenant_id: idToBytes(ref.tenantId), id: idToBytes(ref.id) };
    await database('inquiries').insert({
      ...ids,
      person_id: seal('p', 'person_id'),
      url,
      skip_consent_messages: false,
      notifications: seal(JSON.stringify(list), 'notifications'),
      completed: false,
      created_at: at,
      updated_at: at,
    });
    // The first one has been delivered, and was purged since.
    const [second, third] = [newId(), newId()];
    const message = { tenant_id: ids.tenant_id, inquiry_id: ids.id, content: '', created_at: at, updated_at: at };
    await database('outbox').insert([
      { ...message, id: idToBytes(second), channel: 'SMS', state: 'dead' },
      { ...message, id: idToBytes(newId()), channel: 'WEBHOOK', state: 'delivered' },
      { ...message, id: idToBytes(third), channel: 'SMS', state: 'pending', due_at: at },
    ]);

    const failure = await migrate(scratch.url).catch(String);
    expect(failure).to.include('ENCRYPTION_KEY must be set');
    await migrate(scratch.url, key.toString('hex'));

    const found = await findInquiry({ connection: database, encryption }, ref);
    expect(found?.inquiry).to.include({ url, personId: 'p' });
    const shown = found?.inquiry.notifications ?? [];
    expect(shown.map(({ message: text, state }) => [text, state])).to.deep.equal([
      ['a', 'sent'],
      ['b', 'failed'],
      ['c', 'queued'],
    ]);
    expect(shown.slice(1).map(({ id }) => id)).to.deep.equal([second, third]);
    const [row] = await database('inquiries').select<{ url: Buffer }[]>('url');
    expect(row?.url.toString('latin1')).to.not.include('flow.example');
  });
});
