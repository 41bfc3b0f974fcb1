import type { Knex } from 'knex';
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createConnectionWatchdog, type WatchedConnection } from '../../src/storage/connectionWatchdog.js';
import { openDatabase, type Connection } from '../../src/storage/database.js';
import { isConnectionLoss } from '../../src/storage/mysqlErrors.js';
import { testEnvironment } from '../support/settings.js';

const limitMs = 160;

/** A connection with a statement under way, as far as the watch looks at it. */
function busyConnection(): WatchedConnection & {
  readonly stream: { bytesRead: number };
  readonly ended: () => boolean;
} {
  let ended = false;
  const stream = Object.assign(new EventEmitter(), { bytesRead: 0, destroy: () => void (ended = true) });
  return Object.assign(new EventEmitter(), { _command: { sql: 'SELECT 1' }, stream, ended: () => ended });
}

function standStill(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

describe('the watch over connections', () => {
  it('ends one that does not answer', async () => {
    const connection = busyConnection();
    createConnectionWatchdog(limitMs).add(connection);
    while (!connection.ended()) await sleep(5);
    connection.stream.destroy(new Error());
  });

  it('does not take a standstill of its own process for silence', async () => {
    const connection = busyConnection();
    createConnectionWatchdog(limitMs).add(connection);
    // So that it has been seen at its statement.
    await sleep(limitMs / 8);
    standStill(2 * limitMs);
    // Timers that are due come before what the network brought.
    await sleep(1);
    expect(connection.ended()).to.equal(false);
  });
});

describe('a SELECT that MySQL does not answer', () => {
  let database: Knex;
  beforeEach(() => {
    database = openDatabase(testEnvironment().DATABASE_URL!, {
      poolSize: 3,
      acquireTimeoutMs: 60_000,
      statementTimeoutMs: 4000,
    });
  });
  afterEach(() => database.destroy());

  const idOf = async (connection: Connection): Promise<number> => {
    const [[row]] = (await connection.raw('SELECT CONNECTION_ID() AS id')) as [{ id: number }[]];
    return row!.id;
  };
  const silence = async (): Promise<void> => {
    const lost: unknown = await database.raw('SELECT SLEEP(60)').catch((error: unknown) => error);
    expect(isConnectionLoss(lost), String(lost)).to.equal(true);
  };

  it('takes no connection from a transaction that is between two statements', async () => {
    await database.transaction(async (transaction) => {
      const id = await idOf(transaction);
      await silence();
      expect(await idOf(transaction)).to.equal(id);
    });
  });

  it('ends the connections that nobody has', async () => {
    const used = async (): Promise<number[]> =>
      Promise.all([database.transaction(idOf), database.transaction(idOf), database.transaction(idOf)]);
    const before = await used();
    await silence();
    const after = await used();
    expect(after.filter((id) => before.includes(id))).to.deep.equal([]);
  });
});
