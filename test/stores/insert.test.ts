import { expect } from 'chai';
import type { Knex } from 'knex';
import type { Connection } from 'mysql2/promise';
import { connectMysql } from '../../db/services/urls.js';
import { createInsert, type Insert } from '../../src/runs/recorder/insert.js';
import { openDatabase } from '../../src/storage/database.js';
import { startService, type Service } from '../support/service.js';

const maxRows = 64;
/** Fewer than mysql2 keeps. */
const perConnection = 10_000;

/** Other clients prepare statements until the server has no place for another one. */
async function takePreparedStatements(url: string): Promise<readonly Connection[]> {
  const connections: Connection[] = [];
  for (;;) {
    const connection = await connectMysql(url);
    connections.push(connection);
    for (let number = 0; number < perConnection; number++) {
      const refused: unknown = await connection.prepare(`SELECT ${number}`).then(
        () => undefined,
        (error: unknown) => error,
      );
      if (refused === undefined) continue;
      expect(refused).to.include({ errno: 1461 });
      return connections;
    }
  }
}

/** Of a server of its own, since the number of prepared statements is the whole server's. */
describe('the insert of many rows', () => {
  const table = 'inserted';
  let mysql: Service;
  let admin: Knex;
  let database: Knex;
  let insert: Insert;
  let nextId = 0;

  before(async () => {
    mysql = await startService('mysql');
    admin = openDatabase(mysql.directUrl, { poolSize: 1, acquireTimeoutMs: 60_000 });
    await admin.raw(
      `CREATE TABLE ${table} (id INT PRIMARY KEY, text TEXT, bytes VARBINARY(16), at DATETIME(3)) ENGINE=InnoDB`,
    );
  });
  beforeEach(async () => {
    database = openDatabase(mysql.directUrl, { poolSize: 1, acquireTimeoutMs: 60_000 });
    insert = createInsert(database, table, ['id', 'text', 'bytes', 'at']);
    await admin(table).delete();
  });
  afterEach(() => database.destroy());
  after(async () => {
    await admin.destroy();
    await mysql.end();
  });

  const text = `'"\\ ? ключ 🔑 \n\0`;
  const bytes = Buffer.from([0, 39, 92, 255]);
  const at = new Date('2026-01-31T09:30:00.123Z');
  const rows = (count: number): (readonly [number, string, Buffer, Date])[] =>
    Array.from({ length: count }, () => [++nextId, text, bytes, at]);
  const count = async (): Promise<number> => {
    const [row] = await admin(table).count<{ count: number }[]>('* as count');
    return Number(row?.count);
  };
  const prepared = async (): Promise<number> => {
    const [[row]] = (await admin.raw("SHOW GLOBAL STATUS LIKE 'Prepared_stmt_count'")) as [{ Value: string }[]];
    return Number(row?.Value);
  };

  it('writes each number of rows, with at most 16 prepared statements', async () => {
    let written = 0;
    for (let size = 1; size <= maxRows; size++) {
      await insert(rows(size), false);
      expect(await count()).to.equal((written += size));
    }
    expect(await prepared()).to.be.within(1, 16);
  });

  it('what a row leaves out at its end is NULL, also beside rows that have it', async () => {
    await insert([[++nextId, text]], false);
    await insert([...rows(7), [++nextId, text]], false);
    await insert([[++nextId, text], ...rows(1)], false);
    expect(await admin(table).orderBy('id').pluck('at')).to.deep.equal([null, ...Array<Date>(7).fill(at), null, null, at]);
  });

  for (const size of [1, 37])
    it(`writes all of ${size} or none: a row that is refused takes the others along, and leaves no transaction open`, async () => {
      const group = rows(size);
      await insert([group[size - 1]!], false);
      const refused: unknown = await insert(group, false).catch((error: unknown) => error);
      expect(refused).to.include({ errno: 1062 });
      expect(await count()).to.equal(1);
      await insert(rows(size), false);
      expect(await count()).to.equal(1 + size);
      await insert(group, true);
      expect(await count()).to.equal(2 * size);
    });

  it('writes where the server has no place for another prepared statement', async () => {
    await insert(rows(8), false);
    const others = await takePreparedStatements(mysql.directUrl);
    for (const size of [13, 1, 8, 64]) await insert(rows(size), false);
    for (const other of others) other.destroy();
    expect(await count()).to.equal(8 + 13 + 1 + 8 + 64);
    const distinct = await admin(table).distinct('text', 'bytes', 'at');
    expect(distinct).to.deep.equal([{ text, bytes, at }]);
  });
});
