import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { insertItems, newItems, noteReplaced } from '../../src/changes/items.store.js';
import { heads, newHead } from '../../src/changes/requests.store.js';
import { sealedTables } from '../../src/encryption/rotate.js';
import { setVariable } from '../../src/environments/variables.store.js';
import { environments } from '../../src/environments/environments.store.js';
import { createEvidenceKeys } from '../../src/evidence/keys.js';
import { updateInquiry } from '../../src/inquiries/inquiries.store.js';
import { patching } from '../../src/inquiries/change.js';
import { createUpdateInquiry } from '../../src/inquiries/update.js';
import { ensureKeys } from '../../src/oauth/rotate.js';
import { writeCallback } from '../../src/outbox/callbacks.store.js';
import { rotateCallbackSecret, setCallback } from '../../src/outbox/callbacks.js';
import { createIdempotency } from '../../src/runs/idempotency.js';
import type { Encryption } from '../../src/storage/encryption.js';
import { newId } from '../../src/storage/ids.js';
import { sealedRow, type Columns } from '../../src/storage/sealedTable.js';
import { buildClient, buildInquiry, type BuiltClient, type Store } from './factories.js';

/** Writes something into every sealed column there is; gives the client whose it is. */
export async function fillSealed(store: Store): Promise<BuiltClient> {
  const { database, actor } = store;
  const client = await buildClient(store);
  const { tenantId, workspaceId } = client;
  await ensureKeys(store);
  await createEvidenceKeys(store).signing();
  await setCallback(store, { owner: { tenantId }, url: 'https://192.0.2.1/hook' }, ['192.0.2.1:443']);
  await rotateCallbackSecret(store, { tenantId });
  const fields = { name: 'Environment', description: null, color: '#ffffff' };
  const { id: environmentId } = await environments.create(store, workspaceId, fields);
  await setVariable(store, { workspaceId, environmentId }, { name: 'ONE', value: 1, secret: false });
  await setVariable(store, { workspaceId, environmentId }, { name: 'two', value: 'hush', secret: true });
  // The value before it goes to the history.
  await setVariable(store, { workspaceId, environmentId }, { name: 'two', value: 'hush', secret: true });
  await writeCallback(
    { connection: database, encryption: store.encryption },
    { workspaceId },
    {
      ...{ url: 'https://192.0.2.1/hook', kinds: ['version.saved'], secret: 'hush' },
    },
  );
  const id = newId();
  const items = newItems(store.encryption, id, [{ type: 'variable', name: 'ONE', value: 1, secret: false }], []);
  await database.transaction(async (transaction) => {
    const digest = '00'.repeat(32);
    await heads.insert(transaction, workspaceId, {
      ...{ ...newHead, id, environmentId, digest },
      ...{ title: 'T', message: null, author: actor.principal },
    });
    await insertItems(transaction, workspaceId, items);
    await noteReplaced(transaction, store.encryption, items, [{ mark: 'none', shown: null }]);
  });
  const inquiry = await buildInquiry(store, tenantId);
  const ref = { tenantId, id: inquiry.id };
  await createUpdateInquiry({ ...store, maxPerMinute: null, wakeOutbox: () => undefined })({
    actor,
    ref,
    change: patching({ notifications: [{ type: 'SMS', to: '+358401234567', message: 'Start: $link' }] }),
    ifMatch: undefined,
    keyed: { owner: tenantId, target: inquiry.id, principal: 'p', key: 'k', bodyText: '{}' },
  });
  const written = { fields: { authorizationCode: 'code' }, revision: 9, updatedAt: new Date().toISOString() };
  await updateInquiry({ ...store, connection: database }, ref, written);
  await answered(store, workspaceId, 'k');
  return client;
}

/** Keeps the answer of an execution that had an Idempotency-Key. */
export async function answered(store: Store, workspaceId: string, key: string): Promise<void> {
  const idempotency = createIdempotency({ ...store, leaseMs: () => 60_000 });
  const begun = await idempotency.begin({ owner: workspaceId, principal: 'p', key, target: '/', bodyText: '{}' });
  if (!('claim' in begun)) throw new Error('the key was used before');
  await store.database.transaction((transaction) =>
    begun.claim.settle(transaction, { status: 201, body: randomBytes(100).toString('hex') }),
  );
}

/** How many values of each sealed column the keys open; throws for one that they do not. */
export async function openAll(database: Knex, encryption: Encryption): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { table, contexts } of sealedTables) {
    const rows = (await database(table).select()) as Columns[];
    for (const [column, contextOf] of Object.entries(contexts)) {
      const values = rows.filter((row) => Buffer.isBuffer(row[column]) && row[column].length > 0);
      for (const row of values) encryption.open(row[column] as Buffer, contextOf(sealedRow(row)));
      counts[`${table}.${column}`] = values.length;
    }
  }
  return counts;
}

/** Columns that hold bytes of any length, as `table.column`. */
export async function columnsOfBytes(database: Knex): Promise<string[]> {
  const rows = (await database('information_schema.columns')
    .select({ name: database.raw(`CONCAT(table_name, '.', column_name)`) })
    .where('table_schema', database.raw('DATABASE()'))
    .whereIn('data_type', ['varbinary', 'tinyblob', 'blob', 'mediumblob', 'longblob'])
    .orderBy('name')) as { name: string }[];
  return rows.map(({ name }) => name);
}

/** Which of these columns hold a value that begins with the head of what the key seals. */
export async function columnsSealedBy(
  database: Knex,
  encryption: Encryption,
  columns: readonly string[],
): Promise<string[]> {
  const head = Buffer.concat([Buffer.from([1]), encryption.keyId]);
  const found: string[] = [];
  for (const name of columns) {
    const [table = '', column = ''] = name.split('.');
    const [rows] = (await database.raw('SELECT 1 FROM ?? WHERE LEFT(??, 5) = ? LIMIT 1', [table, column, head])) as [
      unknown[],
    ];
    if (rows.length > 0) found.push(name);
  }
  return found;
}
