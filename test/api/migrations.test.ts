import { expect } from 'chai';
import type { Knex } from 'knex';
import { migrationConfig } from '../../db/knexfile.js';
import { migrate } from '../../db/migrate.js';
import { openDatabase } from '../../src/storage/database.js';
import { scratchDatabase, type ScratchDatabase } from '../support/scratch.js';
import { testEnvironment } from '../support/settings.js';

/** What InnoDB does at a DELETE unless something else is said; MySQL and MariaDB tell it or leave it out as they please. */
const usualRule = / ON DELETE (?:RESTRICT|NO ACTION)/g;

/** Every table as the server would make it again, by name. */
async function schemaOf(database: Knex): Promise<Record<string, string>> {
  const [tables] = (await database.raw('SHOW TABLES')) as [Record<string, string>[]];
  const schema: Record<string, string> = {};
  for (const name of tables.flatMap((row) => Object.values(row)).filter((each) => !each.startsWith('knex_'))) {
    const [[row]] = (await database.raw('SHOW CREATE TABLE ??', [name])) as [[Record<string, string>]];
    schema[name] = (row['Create Table'] ?? '').replace(usualRule, '');
  }
  return schema;
}

describe('migrations', () => {
  let scratch: ScratchDatabase;
  let database: Knex;
  before(async () => {
    scratch = await scratchDatabase(testEnvironment()['DATABASE_URL']!);
    database = openDatabase(scratch.url, { poolSize: 2, acquireTimeoutMs: 30_000 });
  });
  after(async () => {
    await database.destroy();
    await scratch.drop();
  });

  it('go up, down and up again, one by one, to the same schema each time', async () => {
    const applied = await migrate(scratch.url);
    const schemas = [await schemaOf(database)];
    expect(schemas[0]).to.include.keys('decisions', 'idempotency_keys');
    for (const _ of applied) {
      await database.migrate.down(migrationConfig);
      schemas.push(await schemaOf(database));
    }
    expect(schemas.at(-1)).to.deep.equal({});
    for (const name of applied) {
      schemas.pop();
      await database.migrate.up({ ...migrationConfig, name });
      expect([name, await schemaOf(database)]).to.deep.equal([name, schemas.at(-1)]);
    }
  });
});
