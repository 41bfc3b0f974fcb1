import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Knex } from 'knex';
import { migrationConfig } from '../../db/knexfile.js';
import { migrate } from '../../db/migrate.js';
import { projectRoot } from '../../db/root.js';
import { serve } from '../../db/serve.js';
import { readDays, startOfDay, dayMs } from '../../src/runs/days/days.js';
import { openDatabase } from '../../src/storage/database.js';
import { startServer } from '../support/process.js';
import { migratedScratch, scratchDatabase, type ScratchDatabase } from '../support/scratch.js';
import { testEnvironment } from '../support/settings.js';

/** What InnoDB does at a DELETE unless something else is said; MySQL and MariaDB tell it or leave it out as they please. */
const usualRule = / ON DELETE (?:RESTRICT|NO ACTION)/g;
/** What MySQL tells of a column beside its collation where it was told both. */
const characterSet = / CHARACTER SET \w+(?= COLLATE)/g;

async function tablesOf(database: Knex): Promise<string[]> {
  const [tables] = (await database.raw('SHOW TABLES')) as [Record<string, string>[]];
  return tables.flatMap((row) => Object.values(row));
}

/** Every table as the server would make it again, by name. */
async function schemaOf(database: Knex): Promise<Record<string, string>> {
  const schema: Record<string, string> = {};
  for (const name of (await tablesOf(database)).filter((each) => !each.startsWith('knex_'))) {
    const [[row]] = (await database.raw('SHOW CREATE TABLE ??', [name])) as [[Record<string, string>]];
    schema[name] = (row['Create Table'] ?? '').replace(usualRule, '').replace(characterSet, '');
  }
  return schema;
}

/** Every row of every table, by the table's name. */
async function rowsOf(database: Knex): Promise<Record<string, unknown>> {
  const names = await tablesOf(database);
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await database(name)] as const)));
}

const databaseUrl = (): string => testEnvironment()['DATABASE_URL'] ?? '';

describe('migrations', () => {
  let scratch: ScratchDatabase;
  let database: Knex;
  beforeEach(async () => {
    scratch = await scratchDatabase(databaseUrl());
    database = openDatabase(scratch.url, { poolSize: 2, acquireTimeoutMs: 30_000 });
  });
  afterEach(async () => {
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

  it('that were interrupted go on where they were', async () => {
    const applied = await migrate(scratch.url);
    const whole = await schemaOf(database);
    await database('knex_migrations').delete();
    for (const name of ['outbox', 'monitors', 'execution_days']) await database.schema.dropTable(name);
    expect(await migrate(scratch.url)).to.deep.equal(applied);
    expect(await schemaOf(database)).to.deep.equal(whole);
    expect(await database('execution_days')).to.have.length(1);
    expect(await migrate(scratch.url), 'nothing is left to do').to.deep.equal([]);
  });

  it('divide executions into days from the first on, a week ahead', async () => {
    await migrate(scratch.url);
    const ends = (await readDays(database)).map(({ until }) => until.getTime());
    expect(ends[0]).to.be.within(startOfDay(Date.now()), startOfDay(Date.now()) + dayMs);
    expect(ends.slice(1).map((end, at) => end - ends[at]!)).to.deep.equal(Array(6).fill(dayMs));
  });

  it('and the copies that other tests get of what they made are the same', async () => {
    await migrate(scratch.url);
    // The first may be migrated itself.
    const copies = [await migratedScratch(databaseUrl()), await migratedScratch(databaseUrl())];
    const copy = openDatabase(copies[1]!.url, { poolSize: 1, acquireTimeoutMs: 30_000 });
    try {
      expect(await schemaOf(copy)).to.deep.equal(await schemaOf(database));
      const [of, original] = [await rowsOf(copy), await rowsOf(database)];
      expect({ ...of, knex_migrations: [] }).to.deep.equal({ ...original, knex_migrations: [] });
      expect(await migrate(copies[1]!.url)).to.deep.equal([]);
    } finally {
      await copy.destroy();
      for (const each of copies) await each.drop();
    }
  });
});

/** What a database has of versions from before the first release. */
const unreleased: Readonly<Record<string, (database: Knex, url: string) => Promise<unknown>>> = {
  async 'other migrations'(database) {
    await database.raw('CREATE TABLE tenants (id BINARY(16) NOT NULL PRIMARY KEY, name VARCHAR(255) NOT NULL)');
    await database('tenants').insert({ id: Buffer.alloc(16, 1), name: 'One' });
    await database.raw('CREATE TABLE knex_migrations (id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY, name VARCHAR(255))');
    await database('knex_migrations').insert([{ name: '0001_tenancy' }, { name: '0100_policy_names' }]);
    await database.raw('CREATE TABLE knex_migrations_lock (`index` INT UNSIGNED PRIMARY KEY, is_locked INT)');
    await database('knex_migrations_lock').insert({ index: 1, is_locked: 1 });
  },
  async 'a table of the same name that was made of other columns'(database, url) {
    await migrate(url);
    await database.schema.dropTable('execution_days');
    await database.raw("CREATE TABLE execution_days (id INT UNSIGNED NOT NULL PRIMARY KEY) COMMENT='0123456789abcdef'");
  },
  async 'a table of the same name that does not say what it was made of'(database, url) {
    await migrate(url);
    await database.raw("ALTER TABLE execution_days COMMENT=''");
  },
};

for (const [what, make] of Object.entries(unreleased)) {
  describe(`a database of a version from before the first release: ${what}`, () => {
    let folder: string;
    let scratch: ScratchDatabase;
    let database: Knex;
    let made: unknown;
    const stateOf = async (): Promise<unknown> => [await schemaOf(database), await rowsOf(database)];
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'verdict-unreleased-'));
      scratch = await scratchDatabase(databaseUrl());
      database = openDatabase(scratch.url, { poolSize: 2, acquireTimeoutMs: 30_000 });
      await make(database, scratch.url);
      made = await stateOf();
    });
    afterEach(async () => expect(await stateOf()).to.deep.equal(made));
    after(async () => {
      await database.destroy();
      await scratch.drop();
      rmSync(folder, { recursive: true });
    });

    /** What it says must name what to do, in either place. */
    const says = (text: string): void => {
      expect(text)
        .to.contain('Nothing in it was changed')
        .and.to.contain('move the folder .run/ away')
        .and.to.contain('name an empty database in DATABASE_URL');
    };

    it('is refused by make migrate, with what to do', () => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [join(projectRoot, 'dist/db/migrate-main.js')], {
        env: { PATH: process.env['PATH'] ?? '', DATABASE_URL: scratch.url },
        encoding: 'utf8',
      });
      expect([status, stdout]).to.deep.equal([1, '']);
      says(stderr);
    });

    it('is refused by make run, which leaves its folder as it was', async () => {
      const failure: unknown = await serve({
        dir: folder,
        environment: { ...testEnvironment(), DATABASE_URL: scratch.url, PORT: '0', ADMIN_PORT: '0' },
        serverFile: join(projectRoot, 'dist/server/main.js'),
        say: () => undefined,
        stop: new AbortController().signal,
      }).catch((error: unknown) => error);
      says(String(failure));
      expect(readdirSync(folder)).to.deep.equal([]);
    });

    // Where migrations of this version ran, they have looked already.
    if (what === 'other migrations')
      for (const processes of ['1', '2']) {
        it(`is refused by a server of ${processes} process(es) at its start`, async () => {
          const settings = { DATABASE_URL: scratch.url, HTTP_PROCESSES: processes };
          says(String(await startServer(settings).catch((error: unknown) => error)));
        });
      }
  });
}
