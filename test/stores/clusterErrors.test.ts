import { expect } from 'chai';
import { openDatabase, type Connection } from '../../src/storage/database.js';
import { isConnectionLoss, isContention } from '../../src/storage/mysqlErrors.js';
import { testConfig } from '../support/settings.js';

/** What the server answers when it has raised that error. */
async function raised(database: Connection, errno: number): Promise<unknown> {
  return database.raw(`SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = ${errno}, MESSAGE_TEXT = 'raised'`).then(
    () => expect.fail('no error'),
    (error: unknown) => error,
  );
}

describe('errors of a node of a cluster', () => {
  let database: ReturnType<typeof openDatabase>;
  before(() => (database = openDatabase(testConfig().databaseUrl, { poolSize: 1, acquireTimeoutMs: 30_000 })));
  after(() => database.destroy());

  for (const [errno, what] of [
    [1047, 'it is outside of its Galera cluster'],
    [1180, 'it left the cluster during the commit'],
    [3100, 'it left its group during the commit'],
    [3098, 'another becomes the primary'],
    [3781, 'it became the primary, and has not applied what was committed before'],
    [3782, 'it became the primary, and ended the statement before it had'],
    [3783, 'it became the primary, and left its group before it had'],
    [3032, 'it takes no clients'],
    [1290, 'it may only be read'],
    [1021, 'its disk is full'],
    [1026, 'it cannot write a file'],
    [1114, 'its disk has no room for a table'],
  ] as const)
    it(`count as a lost connection where ${what} (${errno})`, async () => {
      const error = await raised(database, errno);
      expect([isConnectionLoss(error), isContention(error)]).to.deep.equal([true, false]);
    });

  for (const errno of [1213, 3101])
    it(`count as contention where another node's commit came first (${errno})`, async () => {
      const error = await raised(database, errno);
      expect([isConnectionLoss(error), isContention(error)]).to.deep.equal([false, true]);
    });
});
