import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { migrate } from '../../db/migrate.js';
import { projectRoot } from '../../db/root.js';
import { toolsOf } from '../support/mysqlRelease.js';
import { bootApp, type TestApp } from '../support/app.js';
import { eventually } from '../support/eventually.js';
import { openStore, type Store } from '../support/factories.js';
import { chosenMysql } from '../support/fetched.js';
import { call } from '../support/http.js';
import { doubling } from '../support/models.js';
import { buildScene, type Scene } from '../support/scene.js';
import { startService, type Service } from '../support/service.js';
import { testEnvironment } from '../support/settings.js';

/** MariaDB writes a binary log where it is told to; MySQL does by itself. */
const logging = ['--log-bin=binlog', '--server-id=1', '--binlog-format=ROW'];

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

describe('the scripts of deploy/recovery', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'verdict-recovery-'));
  const backups = join(folder, 'backups');
  const kept = { EVIDENCE_HEADS: join(folder, 'heads') };
  let mysql: Service;
  let url: string;
  let variables: Record<string, string>;
  let app: TestApp;
  let store: Store;
  let scene: Scene;
  let path: string;

  before(async () => {
    let settings: readonly string[] = logging;
    mysql = await startService('mysql', () => settings);
    const accounts = join(folder, 'administrator.sql');
    writeFileSync(
      accounts,
      `CREATE USER 'administrator'@'127.0.0.1' IDENTIFIED BY 'p%q';\nGRANT ALL ON *.* TO 'administrator'@'127.0.0.1' WITH GRANT OPTION;\n`,
    );
    settings = [...logging, `--init-file=${accounts}`];
    await mysql.restart();
    const chosen = await chosenMysql(() => undefined);
    const administrator = new URL(mysql.directUrl);
    Object.assign(administrator, { username: 'administrator', password: encodeURIComponent('p%q') });
    url = administrator.href;
    variables = {
      ...{ PATH: process.env['PATH'] ?? '', ENCRYPTION_KEY: testEnvironment().ENCRYPTION_KEY ?? '', DATABASE_URL: url },
      ...(chosen === undefined ? {} : { MYSQL_TOOLS: toolsOf(chosen) }),
      ...kept,
    };
    await migrate(mysql.directUrl);
    store = openStore({ DATABASE_URL: mysql.directUrl });
    await start();
    scene = await buildScene(app, { store });
    const environmentId = await scene.environment();
    const decisionId = await scene.decision('double.json', doubling(2));
    await scene.deploy(decisionId, environmentId, 1);
    path = `/logic/${environmentId}/decisions/${decisionId}/executions`;
  });
  after(async () => {
    await app.stop();
    await store.close();
    await mysql.end();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = async (): Promise<void> => void (app = await bootApp({ DATABASE_URL: mysql.directUrl, ...kept }));
  const run = (name: string, ...args: readonly string[]): Promise<Ended> =>
    new Promise((resolve) => {
      const script = join(projectRoot, 'deploy/recovery', `${name}.sh`);
      const env = { ...variables, VERDICT_ADMIN: app.adminUrl };
      execFile(script, args, { env }, (error, output, errors) =>
        resolve({ code: error === null ? 0 : Number(error.code), output, errors }),
      );
    });
  const done = async (name: string, ...args: readonly string[]): Promise<string> => {
    const { code, output, errors } = await run(name, ...args);
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
    file = await done('backup', backups);
    expect(readdirSync(backups).map((name) => join(backups, name))).to.deep.equal([file]);
    // What is not in the backup: some that is meant, and then a mistake. The log's times are seconds.
    await execute(4);
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
    const inUse = await run('restore', file, '--replace');
    expect(inUse.code).to.equal(1);
    expect(inUse.errors).to.match(/1 server processes work on \w+: stop them/);
    expect((await run('restore', file)).errors).to.match(/has \d+ tables: name an empty database, or say --replace/);
    const half = join(folder, 'half.sql.gz');
    writeFileSync(half, '');
    expect((await run('restore', half, '--replace')).errors).to.include('is not a complete backup');
    expect(await recorded()).to.equal(12);
  });

  it('restore the backup, and then to the second before a mistake by the binary log', async () => {
    await app.stop();
    await done('restore', file, '--replace');
    expect(await recorded()).to.equal(5);
    await done('restore', file, '--replace', '--until', beforeMistake);
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
    const told = await done('after-restore', 'Somebody deleted what was needed');
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
    const told = await done('go-back', projectRoot, backups);
    expect(told.split('\n').slice(1)).to.deep.equal([
      'The schema is up to date.',
      `Start the servers of ${projectRoot} one by one in place of the others.`,
    ]);
    await app.stop();
    await start();
    await execute(1);
  });
});
