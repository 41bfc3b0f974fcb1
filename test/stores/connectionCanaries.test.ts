import { expect } from 'chai';
import type { Knex } from 'knex';
import type { WatchedConnection } from '../../src/storage/connectionWatchdog.js';
import { openDatabase } from '../../src/storage/database.js';
import { testEnvironment } from '../support/settings.js';

interface Client {
  acquireConnection(): Promise<WatchedConnection & { query(sql: string, done: (error: unknown) => void): void }>;
  releaseConnection(connection: WatchedConnection): Promise<void>;
  readonly pool: { on(event: string, listener: (...given: unknown[]) => void): void };
}

/** What is relied on and not documented: an upgrade of a library that breaks it fails here first. */
describe('private parts of the database client', () => {
  let database: Knex;
  let client: Client;
  before(() => {
    database = openDatabase(testEnvironment().DATABASE_URL!, { poolSize: 1, acquireTimeoutMs: 60_000 });
    client = database.client as Client;
  });
  after(() => database.destroy());

  it('mysql2: `_command` is the statement under way, with its text, and nothing once it is answered', async () => {
    const connection = await client.acquireConnection();
    const answered = new Promise<void>((resolve, reject) => {
      connection.query('SELECT 1 AS canary', (error) => {
        if (error instanceof Error) reject(error);
        else resolve();
      });
    });
    // A statement begins in a turn of its own.
    await new Promise((resolve) => process.nextTick(resolve));
    expect(connection._command?.sql).to.equal('SELECT 1 AS canary');
    await answered;
    await new Promise((resolve) => setImmediate(resolve));
    expect(connection._command ?? null).to.equal(null);
    expect(connection.stream.bytesRead).to.be.greaterThan(0);
    await client.releaseConnection(connection);
  });

  it('knex: its pool tells who takes a connection and who gives it back, transactions included', async () => {
    const heard: unknown[] = [];
    client.pool.on('acquireSuccess', (_, connection) => heard.push(['acquired', connection]));
    client.pool.on('release', (connection) => heard.push(['released', connection]));
    const connection = await client.acquireConnection();
    await client.releaseConnection(connection);
    await database.transaction((transaction) => transaction.raw('SELECT 1'));
    const turn = [
      ['acquired', connection],
      ['released', connection],
    ];
    expect(heard).to.deep.equal([...turn, ...turn]);
  });
});
