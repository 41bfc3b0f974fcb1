import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { migrate } from '../../db/migrate.js';
import { projectRoot } from '../../db/root.js';
import { ServicesError } from '../../db/services/errors.js';
import { findBinary, searchPath } from '../../db/services/lookup.js';
import { bootApp, type TestApp } from '../support/app.js';
import { isLong, needs } from '../support/environment.js';
import { eventually } from '../support/eventually.js';
import { openStore, type Store } from '../support/factories.js';
import { chosenMysql } from '../support/fetched.js';
import { call } from '../support/http.js';
import { doubling } from '../support/models.js';
import { startRecovery, type Ended, type Recovery } from '../support/recovery.js';
import { buildScene, type Scene } from '../support/scene.js';

describe('the scripts and the page of deploy/recovery', () => {
  recovers('on the server of the run', undefined);
  // The long form has both kinds of server, whatever the run has.
  if (isLong) recovers('on MySQL 9.7', '9.7');
});

function recovers(where: string, release: string | undefined): void {
  describe(where, function () {
    this.timeout(600_000);
    let recovery: Recovery;
    let app: TestApp;
    let store: Store;
    let administrator: Store;
    let scene: Scene;
    let path: string;

    before(async function () {
      const isThere = await chosenMysql(() => undefined, release).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ServicesError) return false;
          throw error;
        },
      );
      needs(this, `MySQL ${release ?? ''}`, isThere);
      // A release that was fetched has its own.
      const isFetched = (release ?? process.env['MYSQL']) !== undefined;
      const client = findBinary(['mariadb-dump', 'mysqldump'], searchPath(process.env['PATH']));
      needs(this, 'client of MariaDB: apt-get install mariadb-client', isFetched || client !== undefined);
      recovery = await startRecovery(release);
      await migrate(recovery.settings.DATABASE_URL);
      store = openStore(recovery.settings);
      administrator = openStore({ DATABASE_URL: recovery.administratorUrl });
      await start();
      scene = await buildScene(app, { store });
      ({ path } = await scene.deployed('double.json', doubling(2)));
    });
    after(async () => {
      await app.stop();
      await store.close();
      await administrator.close();
      await recovery.end();
    });

    const start = async (): Promise<void> => void (app = await bootApp(recovery.settings));
    const refused = ({ code, errors }: Ended): string => {
      expect(code, errors).to.equal(1);
      return errors;
    };
    const done = ({ code, output, errors }: Ended): string => {
      expect(code, errors).to.equal(0);
      return output.trim();
    };
    const execute = async (count: number): Promise<void> => {
      for (let number = 0; number < count; number++) {
        const caller = { Authorization: `Bearer ${scene.token}`, 'X-Workspace-Id': scene.workspaceId };
        const { status } = await call(`${app.baseUrl}${path}`, {
          method: 'POST',
          headers: caller,
          body: { fact: { x: number } },
        });
        expect(status).to.equal(201);
      }
    };
    const recorded = async (): Promise<number> => {
      const [row] = await store.database('executions').count({ total: '*' });
      return Number(row?.['total']);
    };
    /** Everything that is recorded has its leaf, and the head is kept outside. */
    const proved = (count: number): Promise<unknown> =>
      eventually(async () => {
        const [row] = await store.database('evidence_leaves').where({ kind: 'execution' }).count({ total: '*' });
        const isWitnessed = store.database.raw('size = witnessed AS done');
        const [tree] = await store.database('evidence_trees').select<{ readonly done: number }[]>(isWitnessed);
        return Number(row?.['total']) === count && tree?.done === 1;
      });

    let file: string;
    let beforeMistake: string;

    it('back up while the service runs, whole, and readable by nobody else', async () => {
      await execute(5);
      await proved(5);
      file = done(await recovery.paste('backup.sh'));
      expect(readdirSync(recovery.backups).map((name) => join(recovery.backups, name))).to.deep.equal([file]);
      // What is not in the backup: some that is meant, in two files of the log, and then a mistake. The log's times are seconds.
      await execute(2);
      await administrator.database.raw('FLUSH BINARY LOGS');
      await execute(2);
      await sleep(2000);
      const [[row]] = (await store.database.raw(`SELECT DATE_FORMAT(UTC_TIMESTAMP(), '%Y-%m-%d %H:%i:%s') AS at`)) as [
        [{ at: string }],
      ];
      beforeMistake = row.at;
      await sleep(2000);
      await execute(3);
      await proved(12);
      await store.database('replays').delete();
      expect(await recorded()).to.equal(12);
    });

    it('restore nothing over a database in use, nor from half a file', async () => {
      expect(refused(await recovery.run('restore', [file, '--replace']))).to.match(
        /1 server processes work on \w+: stop them/,
      );
      expect(refused(await recovery.run('restore', [file]))).to.match(
        /has \d+ tables: name an empty database, or say --replace/,
      );
      const half = join(recovery.folder, 'half.sql.gz');
      writeFileSync(half, '');
      expect(refused(await recovery.run('restore', [half, '--replace']))).to.include('is not a complete backup');
      expect(await recorded()).to.equal(12);
    });

    it('say of a database that cannot be reached nothing but that', async () => {
      const url = new URL(recovery.administratorUrl);
      url.port = '9';
      for (const [script, args] of [
        ['backup', [recovery.backups]],
        ['restore', [file, '--replace']],
      ] as const) {
        const errors = refused(await recovery.run(script, args, { DATABASE_URL: url.href }));
        expect(errors).to.match(/^ERROR 2\d{3} [^\n]+\n$/);
      }
    });

    it('go to no moment that they cannot reach, before anything is changed', async () => {
      const tried = async (until: string, options: readonly string[] = [], changes = {}): Promise<string> =>
        refused(await recovery.run('restore', [file, '--replace', '--until', until, ...options], changes));
      await app.stop();
      expect(await tried('yesterday')).to.include("--until needs 'YYYY-MM-DD hh:mm:ss' in UTC, not yesterday");
      expect(await tried('2026-13-01 00:00:00')).to.include('--until needs');
      expect(await tried('2001-01-01 00:00:00')).to.match(/is of [\d-]+ [\d:]+, after 2001-01-01 00:00:00/);
      // The log names the database that it is of.
      const elsewhere = Object.assign(new URL(recovery.administratorUrl), { pathname: '/verdict_elsewhere' }).href;
      expect(await tried(beforeMistake, [], { DATABASE_URL: elsewhere })).to.match(
        /the binary log is of verdict, not of verdict_elsewhere/,
      );
      // Copies of the log with a gap in them, and without the first.
      const logs = join(recovery.folder, 'logs');
      mkdirSync(logs);
      const [, name = '', number = ''] =
        /_LOG_FILE='([^']+?)(\d+)'/.exec(gunzipSync(readFileSync(file)).toString()) ?? [];
      const copy = (step: number): void =>
        writeFileSync(join(logs, `${name}${String(Number(number) + step).padStart(number.length, '0')}`), '');
      copy(2);
      expect(await tried(beforeMistake, ['--logs', logs])).to.match(/does not have .*, in which the backup/);
      copy(0);
      expect(await tried(beforeMistake, ['--logs', logs])).to.match(/has no file before /);
      expect(await recorded()).to.equal(12);
    });

    it('refuse the programs of another server than the one that they work on', async () => {
      const tools = join(recovery.folder, 'tools');
      mkdirSync(tools);
      const [[{ version }]] = (await store.database.raw('SELECT VERSION() AS version')) as [[{ version: string }]];
      const [own, other] = version.includes('MariaDB')
        ? ['mariadb', 'mysqldump  Ver 9.7.4']
        : ['mysql', 'mariadb-dump from 11.8.2-MariaDB'];
      const real = `PATH="${recovery.tools ?? ''}:$PATH"`;
      writeFileSync(join(tools, 'mysql'), `#!/bin/sh\n${real} exec ${own} "$@"\n`, { mode: 0o755 });
      writeFileSync(join(tools, 'mysqldump'), `#!/bin/sh\necho '${other}'\n`, { mode: 0o755 });
      const backedUp = recovery.run('backup', [recovery.backups], { MYSQL_TOOLS: tools });
      expect(refused(await backedUp)).to.match(
        /None of mariadb-dump mysqldump is here that is of (MySQL|MariaDB), as the server is/,
      );
    });

    it('restore the backup, and then to the second before a mistake by the binary log', async () => {
      done(await recovery.paste('--replace\n'));
      expect(await recorded()).to.equal(5);
      done(await recovery.paste('--until', { '2026-05-03 09:41:00': beforeMistake }));
      expect(await recorded()).to.equal(9);
    });

    it('begin evidence anew after it, once, and find nothing wrong', async () => {
      await start();
      const isBehind = async (): Promise<boolean> =>
        (await call(`${app.adminUrl}/readyz`)).text.includes('evidence_behind');
      await eventually(isBehind);
      // Each record of the backup has its leaf: it is told all the same, until somebody says what happened.
      const until = performance.now() + 2000;
      await eventually(async () => {
        expect(await isBehind()).to.equal(true);
        return performance.now() > until;
      });
      const told = done(await recovery.paste('after-restore.sh', {}, { VERDICT_ADMIN: app.adminUrl }));
      expect(told)
        .to.include(scene.workspaceId)
        .and.match(/findings +none/);
      await eventually(async () => !(await isBehind()));
      await execute(1);
      await proved(10);
    });

    it('let an older version work on the schema of a newer one', async () => {
      await store.database('knex_migrations').insert({ name: '0002_later', batch: 2, migration_time: new Date() });
      await store.database.raw('ALTER TABLE executions ADD COLUMN later INT NULL');
      const told = done(await recovery.paste('go-back.sh', { '/srv/verdict-1.0.0': projectRoot }));
      expect(told.split('\n').slice(1)).to.deep.equal([
        'The schema is up to date.',
        `Start the servers of ${projectRoot} one by one in place of the others.`,
      ]);
      await app.stop();
      await start();
      await execute(1);
    });

    it('leave nothing of the page out', () => {
      expect(recovery.left()).to.deep.equal([]);
    });
  });
}
