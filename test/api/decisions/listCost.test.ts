import { expect } from 'chai';
import type { Knex } from 'knex';
import { listDecisionPage } from '../../../src/decisions/decisionLists.js';
import { idToBytes } from '../../../src/storage/ids.js';
import { type Store, openScratchStore } from '../../support/factories.js';
import { digits, id, numbers } from '../../support/queryPlans.js';

const small = { workspaceId: id(1), decisions: 100 };
const large = { workspaceId: id(2), decisions: 100_000 };
/** Of each workspace; what is before and after them in the order of keys differs by a factor of a thousand. */
const wanted = 30;

describe('a page of decisions by the beginning of their keys', () => {
  let store: Store;
  before(async () => {
    store = await openScratchStore();
    await store.database.transaction(async (transaction) => {
      await transaction.raw('SET SESSION foreign_key_checks = 0');
      for (const place of [small, large]) await fill(transaction, place);
      await transaction.raw('SET SESSION foreign_key_checks = 1');
    });
    await store.database.raw('ANALYZE TABLE decisions');
  });
  after(() => store.close());

  const pages = {
    'the first one': {},
    'one after a cursor': { after: 'm/000010' },
    'one before a cursor': { before: 'm/000020' },
    'the last one, backwards': { order: 'desc' },
    'one that is not filled': { after: 'm/000027' },
  } as const;
  for (const [what, more] of Object.entries(pages)) {
    it(`reads as many rows among 100,000 as among 100: ${what}`, async () => {
      const rows = await Promise.all([small, large].map(({ workspaceId }) => readFor(workspaceId, more)));
      expect(rows[0]?.keys).to.deep.equal(rows[1]?.keys).and.not.deep.equal([]);
      expect(rows[1]?.read).to.equal(rows[0]?.read);
      expect(rows[0]?.read).to.be.below(30);
    });
  }

  /** The keys of a page, and how many rows of tables and indexes MySQL has looked at for it. */
  const readFor = (workspaceId: string, more: object): Promise<{ keys: string[]; read: number }> =>
    store.database.transaction(async (transaction) => {
      const request = {
        by: 'key',
        key: undefined,
        prefix: 'm/',
        size: 10,
        after: null,
        before: null,
        ...more,
      } as const;
      // MySQL counts what it reads of its own dictionary when a connection first opens a table.
      await listDecisionPage(transaction, workspaceId, request);
      const before = await rowsRead(transaction);
      const { data } = await listDecisionPage(transaction, workspaceId, request);
      return { keys: data.map(({ key }) => key), read: (await rowsRead(transaction)) - before };
    });
});

async function fill(transaction: Knex.Transaction, { workspaceId, decisions }: typeof small): Promise<void> {
  await transaction.raw(
    `INSERT INTO decisions (id, workspace_id, decision_key, content_hash, created_at, updated_at)
     SELECT UNHEX(CONCAT(LPAD(HEX(place), 16, '0'), LPAD(HEX(n), 16, '0'))), ?,
       CONCAT(IF(n <= ${wanted}, 'm/', IF(n MOD 2 = 0, 'a/', 'x/')), LPAD(n, 6, '0')),
       UNHEX(LPAD(HEX(n), 64, '0')), UTC_TIMESTAMP(3), UTC_TIMESTAMP(3)
     FROM (SELECT few.n + 10000 * many.d AS n, ? AS place FROM (${numbers}) few, (${digits}) many) all_numbers
     WHERE n <= ?`,
    [idToBytes(workspaceId), decisions, decisions],
  );
}

async function rowsRead(transaction: Knex.Transaction): Promise<number> {
  const [rows] = (await transaction.raw(
    "SHOW SESSION STATUS WHERE Variable_name IN ('Handler_read_key', 'Handler_read_next', 'Handler_read_prev', 'Handler_read_first', 'Handler_read_last')",
  )) as [{ Value: string }[]];
  return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
}
