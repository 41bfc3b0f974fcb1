import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { openDatabase } from '../../src/storage/database.js';
import { idToBytes, newId } from '../../src/storage/ids.js';
import { startProxy, through, type Proxy } from '../support/proxy.js';

interface Given {
  readonly stream: Socket;
  query(sql: string, done: (error: unknown) => void): void;
}

/** What the pool calls of it; knex has no types for them. */
interface Client {
  acquireConnection(): Promise<Given>;
  destroyRawConnection(connection: Given): Promise<void>;
  releaseConnection(connection: Given): void;
}

describe('connections to a database that says nothing', () => {
  let proxy: Proxy;
  let database: Knex;

  before(async () => {
    const url = process.env.DATABASE_URL ?? '';
    const { hostname, port } = new URL(url);
    proxy = await startProxy({ host: hostname, port: Number(port) });
    database = openDatabase(through(url, proxy), { poolSize: 4, acquireTimeoutMs: 1000, statementTimeoutMs: 200 });
  });

  after(async () => {
    await database.destroy();
    await proxy.close();
  });

  it('a connection that the pool gives up while MySQL is frozen does not end the process', async () => {
    const { client } = database as unknown as { readonly client: Client };
    const given = await client.acquireConnection();
    await database.raw('SELECT 1');
    // In place of the 60 s after which MySQL closes what says nothing.
    await new Promise((resolve) => given.query('SET SESSION wait_timeout = 1', resolve));
    proxy.hole();
    // As after 30 s without use: MySQL is told, and never closes its side.
    await client.destroyRawConnection(given);
    const closed = new Promise((resolve) => given.stream.once('close', resolve));
    const refused = await database.raw('SELECT 2').then(
      () => undefined,
      (error: unknown) => String(error),
    );
    expect(refused).to.contain('did not answer in time');
    // An error event without a listener comes before that, and fails the test as uncaught.
    await closed;
    client.releaseConnection(given);
  });

  it('a read whose rows come slowly, but come, goes on, and idle connections stay', async () => {
    proxy.pass();
    // 20 rows, each larger than what MySQL gathers before it sends, and 100 ms apart: five times the limit in all.
    const waiting = openDatabase(through(process.env.DATABASE_URL ?? '', proxy), {
      poolSize: 2,
      acquireTimeoutMs: 10_000,
      statementTimeoutMs: 1000,
    });
    try {
      const ids = await Promise.all([connectionOf(waiting), connectionOf(waiting)]);
      const rows = Array.from({ length: 20 }, () => 'SELECT 1 AS one').join(' UNION ALL ');
      const [read] = (await waiting.raw(`SELECT SLEEP(0.1), REPEAT('x', 20000) FROM (${rows}) AS many`)) as [unknown[]];
      expect(read).to.have.length(20);
      expect(await Promise.all([connectionOf(waiting), connectionOf(waiting)])).to.have.members(ids);
    } finally {
      await waiting.destroy();
    }
  });

  it('a transaction whose server has vanished loses its locks soon, and not after MySQL’s 8 hours', async () => {
    proxy.pass();
    const direct = openDatabase(process.env.DATABASE_URL ?? '', { poolSize: 1, acquireTimeoutMs: 10_000 });
    const vanishing = openDatabase(through(process.env.DATABASE_URL ?? '', proxy), {
      poolSize: 1,
      acquireTimeoutMs: 10_000,
      statementTimeoutMs: 4000,
    });
    const lock = 'SELECT id FROM tenants WHERE id = ? FOR UPDATE';
    const id = idToBytes(newId());
    await direct('tenants').insert({ id, name: 'Locked', created_at: new Date() });
    const held = await vanishing.transaction();
    try {
      await held.raw(lock, [id]);
      const [[settings]] = (await held.raw('SELECT @@SESSION.wait_timeout AS idleS')) as [[{ idleS: number }]];
      // More than the 30 s after which the pool itself ends what nobody uses.
      expect(settings.idleS).to.be.within(35, 60);
      // Sooner than that, for this test.
      await held.raw('SET SESSION wait_timeout = 1');
      proxy.hole();
      await direct.raw(lock, [id]);
    } finally {
      await held.rollback().catch(() => undefined);
      await Promise.all([direct.destroy(), vanishing.destroy()]);
    }
  });
});

/** MySQL's number of the connection that answers. */
async function connectionOf(database: Knex): Promise<number> {
  const [[row]] = (await database.raw('SELECT CONNECTION_ID() AS id, SLEEP(0.1)')) as [[{ id: number }]];
  return row.id;
}
