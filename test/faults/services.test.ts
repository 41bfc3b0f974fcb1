import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { ServicesError } from '../../db/services/errors.js';
import { findBinary, searchPath } from '../../db/services/lookup.js';
import { findMysql, initialiseMysql } from '../../db/services/mysql.js';
import { markOf, type ProcessMark } from '../../src/cli/processMark.js';
import { waitUntilGone } from '../../db/services/processes.js';
import { startServices, type Services } from '../../db/services/start.js';
import { connectMysql, pingMysql, pingRedis, withDatabase } from '../../db/services/urls.js';
import { isLong } from '../support/environment.js';
import { eventually } from '../support/eventually.js';
import { useFolder } from '../support/folder.js';

const holderFile = fileURLToPath(new URL('../support/holder.js', import.meta.url));

interface Held {
  readonly databaseUrl: string;
  readonly pids: { readonly mysql: number; readonly redis?: number };
}

describe('private services', () => {
  /** Holds a data folder that was just made, to be copied: making one takes a second of the processor. */
  const template = useFolder();
  let root: string;
  let dir: string;
  let said: string[];
  const open: Services[] = [];
  const children: ChildProcess[] = [];
  const heldServers: ProcessMark[] = [];

  before(async () => {
    const binaries = await findMysql(searchPath(process.env['PATH']));
    if (binaries !== undefined) await initialiseMysql({ binaries, dir: template, purpose: 'test' });
  });
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'verdict-services-'));
    dir = join(root, 'run');
    said = [];
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await Promise.all(open.splice(0).map((services) => services.stop()));
    // What is tied to a killed holder ends after it.
    await Promise.all(heldServers.splice(0).map((mark) => waitUntilGone(mark, 30_000)));
    rmSync(root, { recursive: true, force: true });
  });

  /** Unless it is there already. */
  const copyTemplate = (): void => {
    const data = join(template, 'mysql');
    if (existsSync(dir) || !existsSync(data)) return;
    mkdirSync(dir, { mode: 0o700 });
    cpSync(data, join(dir, 'mysql'), { recursive: true });
  };

  /** @param more.at a folder that is made anew */
  const start = async (more: { folders?: string[]; throwAway?: boolean; at?: string } = {}): Promise<Services> => {
    const { folders, throwAway = false, at = dir } = more;
    if (more.at === undefined) copyTemplate();
    const services = await startServices({ dir: at, throwAway, folders, say: (line) => said.push(line) });
    open.push(services);
    return services;
  };

  /** Services held by another process, which can then be killed. */
  const hold = async (mode: string): Promise<{ child: ChildProcess; held: Held }> => {
    copyTemplate();
    const child = spawn(process.execPath, [holderFile, dir, mode], { stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const held = JSON.parse(line.toString()) as Held;
    heldServers.push(markOf(held.pids.mysql)!);
    return { child, held };
  };

  const query = async (url: string, sql: string): Promise<Record<string, unknown>[]> => {
    const connection = await connectMysql(url);
    try {
      const [rows] = await connection.query(sql);
      return rows as Record<string, unknown>[];
    } finally {
      connection.destroy();
    }
  };

  const write = async (url: string): Promise<void> => {
    await query(url, 'CREATE TABLE notes (id INT PRIMARY KEY, note VARCHAR(20)) ENGINE=InnoDB');
    await query(url, "INSERT INTO notes VALUES (1, 'kept')");
  };
  const expectKept = async (url: string): Promise<void> => {
    expect(await query(url, 'SELECT note FROM notes')).to.deep.equal([{ note: 'kept' }]);
  };

  it('run with the settings that the service counts on, flush at each commit, and keep their data and addresses over a stop', async () => {
    const first = await start();
    const [row] = await query(
      first.databaseUrl,
      `SELECT @@innodb_lock_wait_timeout AS lock_wait, @@innodb_flush_log_at_trx_commit AS flush, @@bind_address AS address,
        @@character_set_database AS charset, @@collation_database AS collation`,
    );
    expect(row).to.deep.equal({
      lock_wait: 3,
      flush: 1,
      address: '127.0.0.1',
      charset: 'utf8mb4',
      collation: 'utf8mb4_bin',
    });
    const isolation = await query(
      first.databaseUrl,
      "SHOW VARIABLES WHERE Variable_name IN ('tx_isolation', 'transaction_isolation')",
    );
    expect(isolation.map((variable) => variable['Value'])).to.include('READ-COMMITTED');
    await write(first.databaseUrl);
    const pid = first.pids.mysql!;
    await first.stop();
    await first.stop();
    expect(markOf(pid)).to.equal(undefined);
    await pingMysql(first.databaseUrl).then(
      () => expect.fail('the database still answers'),
      () => undefined,
    );
    const second = await start();
    expect(second.databaseUrl).to.equal(first.databaseUrl);
    await expectKept(second.databaseUrl);
    expect(said).to.deep.equal([]);
  });

  it('come back after kill -9 of both', async () => {
    const first = await start();
    await write(first.databaseUrl);
    process.kill(first.pids.mysql!, 'SIGKILL');
    if (first.pids.redis !== undefined) process.kill(first.pids.redis, 'SIGKILL');
    await first.stop();
    const second = await start();
    await expectKept(second.databaseUrl);
    if (second.redisUrl !== null) await pingRedis(second.redisUrl);
  });

  it('come back after kill -9 of the process that holds them, at once and without two on one folder', async () => {
    const { child, held } = await hold('run');
    await write(held.databaseUrl);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const second = await start();
    expect(second.pids.mysql).to.not.equal(held.pids.mysql);
    expect(markOf(held.pids.mysql)).to.equal(undefined);
    await expectKept(second.databaseUrl);
  });

  // In the short form one that it can hear of, and the one that it cannot.
  for (const signal of ['SIGTERM', 'SIGKILL', ...(isLong ? (['SIGINT', 'SIGHUP'] as const) : [])] as const) {
    it(`leave nothing behind when their holder dies of ${signal}`, async () => {
      const { child, held } = await hold('throw-away');
      const mark = markOf(held.pids.mysql)!;
      child.kill(signal);
      await once(child, 'exit');
      expect(await waitUntilGone(mark, 20_000)).to.equal(true);
      await eventually(() => !existsSync(dir));
    });
  }

  it('are shared by a second process of the same folder, which leaves them running', async () => {
    const { held } = await hold('run');
    const second = await start();
    expect(second.databaseUrl).to.equal(held.databaseUrl);
    expect(said.join()).to.contain('Using the services of process');
    await second.stop();
    await pingMysql(held.databaseUrl);
  });

  it('are closed to those without the password, and the application reaches its own database only', async () => {
    const { databaseUrl, redisUrl } = await start({ at: dir });
    for (const user of ['root:', 'verdict:', ':']) {
      const url = new URL(databaseUrl);
      [url.username, url.password] = user.split(':') as [string, string];
      const error: unknown = await pingMysql(withDatabase(url.href, '')).catch((thrown: unknown) => thrown);
      expect(error, user)
        .to.have.property('code')
        .that.matches(/ACCESS_DENIED|AUTH/);
    }
    const error: unknown = await query(databaseUrl, 'SELECT * FROM mysql.user').catch((thrown: unknown) => thrown);
    expect(error)
      .to.have.property('code')
      .that.matches(/DENIED/);
    if (redisUrl !== null) {
      const redis = new Redis(Number(new URL(redisUrl).port), '127.0.0.1', { retryStrategy: () => null });
      redis.on('error', () => undefined);
      const refusal: unknown = await redis.get('x').catch((thrown: unknown) => thrown);
      redis.disconnect();
      expect(String(refusal)).to.contain('NOAUTH');
    }
    expect(statSync(dir).mode & 0o077).to.equal(0);
  });

  it('start in a folder whose path is too long for a socket, and has a space, at which the installer of MariaDB would end its arguments', async () => {
    const above = join(root, 'x'.repeat(60), 'my');
    const services = await start({ at: join(above, `${'y'.repeat(60)}  run`) });
    await pingMysql(services.databaseUrl);
    if (services.redisUrl !== null) await pingRedis(services.redisUrl);
    expect(readdirSync(above), 'nothing beside it').to.deep.equal([`${'y'.repeat(60)}  run`]);
  });

  it('start twice at once in different folders, flush at each commit where that is asked for, and are removed at the end', async () => {
    const [one, two] = await Promise.all([
      start({ at: join(root, 'one'), throwAway: true }),
      startServices({ dir: join(root, 'two'), throwAway: true, purpose: 'production', say: () => undefined }),
    ]);
    open.push(two);
    expect(one.databaseUrl).to.not.equal(two.databaseUrl);
    const [row] = await query(two.databaseUrl, 'SELECT @@innodb_flush_log_at_trx_commit AS flush');
    expect(row).to.deep.equal({ flush: 1 });
    await Promise.all([one.stop(), two.stop()]);
    expect(readdirSync(root)).to.deep.equal([]);
  });

  it('do without Redis where there is none', async () => {
    const folder = join(root, 'bin');
    mkdirSync(folder);
    for (const name of ['mariadbd', 'mysqld', 'mariadb-install-db']) {
      const program = findBinary([name], searchPath(process.env['PATH']));
      if (program !== undefined) symlinkSync(program, join(folder, name));
    }
    const services = await start({ folders: [folder] });
    expect(services.redisUrl).to.equal(null);
    expect(said.join()).to.contain('without it, slower');
  });

  it('say what to install where there is nothing, and give the folder up', async () => {
    const error: unknown = await start({ at: dir, folders: [root] }).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(ServicesError);
    expect(String(error)).to.contain('apt-get install mariadb-server');
    expect(existsSync(join(dir, 'owner.json'))).to.equal(false);
  });

  it('are not started where a server is named; one that does not work is refused with the variable', async () => {
    const own = await start();
    const named = await startServices({
      dir: join(root, 'other'),
      databaseUrl: own.databaseUrl,
      redisUrl: own.redisUrl ?? undefined,
      folders: [root],
      throwAway: false,
      say: (line) => said.push(line),
    });
    open.push(named);
    expect(named.databaseUrl).to.equal(own.databaseUrl);
    expect(named.pids).to.deep.equal({});
    const wrong = new URL(own.databaseUrl);
    wrong.password = 'wrong-secret';
    const options = { dir: join(root, 'third'), databaseUrl: wrong.href, throwAway: false, say: () => undefined };
    const error: unknown = await startServices(options).catch((thrown: unknown) => thrown);
    expect(String(error)).to.contain('DATABASE_URL').and.to.not.contain('wrong-secret');
  });
});
