import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { openDatabase } from '../../src/storage/database.js';
import { startProxy, through, type Proxy } from '../support/proxy.js';

interface Given {
  readonly stream: Socket;
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

  it('a connection that the pool gave up while MySQL was frozen ended the process', async () => {
    const { client } = database as unknown as { readonly client: Client };
    const given = await client.acquireConnection();
    await database.raw('SELECT 1');
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
});
