import type { Knex } from 'knex';
import { createEncryption, type Encryption } from '../../src/storage/encryption.js';
import { idFromBytes, idToBytes, newId } from '../../src/storage/ids.js';
import { key256 } from '../../src/config/parsers.js';

interface Row {
  readonly tenant_id: Buffer;
  readonly id: Buffer;
  readonly url: Buffer;
  readonly notifications: Buffer | null;
}

interface Listed {
  readonly id?: string;
  readonly type: string;
}

const chunk = 500;
const contextOf = ({ tenant_id, id }: Row, column: string): string =>
  `inquiries/${idFromBytes(tenant_id)}/${idFromBytes(id)}/${column}`;

/**
 * The link of an inquiry is sealed like its person, and the notifications that it names get the ids of their messages.
 * Rows that are there already need ENCRYPTION_KEY.
 */
export async function up(knex: Knex): Promise<void> {
  const encryption = await encryptionFor(knex);
  await knex.raw('ALTER TABLE inquiries MODIFY url BLOB NOT NULL');
  await eachRow(knex, async (row) => {
    // After an interruption, some are sealed already.
    const link = row.url.toString();
    const url = /^https?:/i.test(link) ? encryption.seal(link, contextOf(row, 'url')) : row.url;
    const notifications = row.notifications && (await withIds(knex, encryption, row, row.notifications));
    await knex('inquiries').where({ tenant_id: row.tenant_id, id: row.id }).update({ url, notifications });
  });
}

export async function down(knex: Knex): Promise<void> {
  const encryption = await encryptionFor(knex);
  await eachRow(knex, async (row) => {
    const url = encryption.open(row.url, contextOf(row, 'url'));
    await knex('inquiries').where({ tenant_id: row.tenant_id, id: row.id }).update({ url });
  });
  await knex.raw('ALTER TABLE inquiries MODIFY url VARCHAR(2048) NOT NULL');
}

/** Throws where there are inquiries and no key to seal them with. */
async function encryptionFor(knex: Knex): Promise<Encryption> {
  const { encryptionKey } = (knex as { userParams?: { encryptionKey?: string } }).userParams ?? {};
  if (encryptionKey !== undefined) return createEncryption(key256(encryptionKey));
  const rows = (await knex('inquiries').select('id').limit(1)) as unknown[];
  if (rows.length > 0) throw new Error('ENCRYPTION_KEY must be set: links of inquiries are to be sealed with it');
  return createEncryption(Buffer.alloc(32));
}

async function eachRow(knex: Knex, work: (row: Row) => Promise<void>): Promise<void> {
  for (let last = Buffer.alloc(16); ;) {
    const rows = (await knex('inquiries')
      .select('tenant_id', 'id', 'url', 'notifications')
      .where('id', '>', last)
      .orderBy('id')
      .limit(chunk)) as Row[];
    for (const row of rows) await work(row);
    const end = rows.at(-1);
    if (end === undefined) return;
    last = Buffer.from(end.id);
  }
}

/** The present list is what was queued last; of what is gone from the outbox since, a row says that it was delivered. */
async function withIds(knex: Knex, encryption: Encryption, row: Row, sealed: Buffer): Promise<Buffer> {
  const list = JSON.parse(encryption.open(sealed, contextOf(row, 'notifications'))) as Listed[];
  if (list.every(({ id }) => id !== undefined)) return sealed;
  const newest = (await knex('outbox')
    .select('id')
    .where({ tenant_id: row.tenant_id, inquiry_id: row.id })
    .whereIn('channel', ['SMS', 'EMAIL'])
    .orderBy('id', 'desc')
    .limit(list.length)) as { id: Buffer }[];
  const kept = newest.map(({ id }) => idFromBytes(id)).reverse();
  const lost = list.slice(kept.length).map(() => newId());
  const ids = [...lost, ...kept];
  const at = new Date();
  const columns = {
    tenant_id: row.tenant_id,
    inquiry_id: row.id,
    content: Buffer.alloc(0),
    created_at: at,
    updated_at: at,
  };
  for (const [index, id] of lost.entries()) {
    await knex('outbox').insert({ ...columns, id: idToBytes(id), channel: list[index]?.type, state: 'delivered' });
  }
  await knex('outbox').whereIn('id', ids.map(idToBytes)).update({ listed: true });
  const listed = list.map((each, index) => ({ ...each, id: ids[index] }));
  return encryption.seal(JSON.stringify(listed), contextOf(row, 'notifications'));
}
