import { execFile } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf, ServicesError } from './errors.js';
import type { ProcessMark } from '../../src/cli/processMark.js';
import { findBinary } from './lookup.js';
import { startServerProgram } from './processes.js';
import { mysqlUrl, pingMysql } from './urls.js';

const run = promisify(execFile);

/** The programs of one MySQL or MariaDB installation. */
export type MysqlBinaries =
  | { readonly flavour: 'mariadb'; readonly server: string; readonly installer: string }
  | { readonly flavour: 'mysql'; readonly server: string };

/** Finds MariaDB, else MySQL 8, in `folders`; undefined when neither is complete. */
export async function findMysql(folders: readonly string[]): Promise<MysqlBinaries | undefined> {
  const server = findBinary(['mariadbd', 'mysqld'], folders);
  if (server === undefined) return undefined;
  // On MariaDB `mysqld` is an alias, so the name does not tell which one it is.
  const version = await run(server, ['--no-defaults', '--version']).then(
    ({ stdout }) => stdout,
    () => '',
  );
  if (!/mariadb/i.test(version)) return version === '' ? undefined : { flavour: 'mysql', server };
  const installer = findBinary(['mariadb-install-db', 'mysql_install_db'], folders);
  return installer === undefined ? undefined : { flavour: 'mariadb', server, installer };
}

/**
 * What a server is sized for: `production` flushes each commit; `measurement` leaves flushing to the operating system, and has
 * room enough that the disk is not what is measured; `test` is small.
 */
export type MysqlPurpose = 'production' | 'measurement' | 'test';

/** What one private database server needs to know. */
interface MysqlOptions {
  readonly binaries: MysqlBinaries;
  /** Holds the data folder `mysql/` and the log `mysql.log`. */
  readonly dir: string;
  /** A folder with a path short enough for a socket (107 bytes in all). */
  readonly socketDir: string;
  readonly port: number;
  /** Passwords of the application's user and of root. */
  readonly passwords: { readonly application: string; readonly root: string };
  readonly throwAway: boolean;
  readonly purpose: MysqlPurpose;
}

const applicationUser = 'verdict';
const applicationDatabase = 'verdict';
// Crash recovery of a large redo log takes its time; an ordinary start takes under a second.
const startTimeoutMs = 120_000;
export const mysqlGraceMs = 30_000;

/** Makes the data folder where there is none yet. A half made one (a kill in between) is never taken for whole. */
export async function initialiseMysql({
  binaries,
  dir,
  purpose,
}: Pick<MysqlOptions, 'binaries' | 'dir' | 'purpose'>): Promise<void> {
  const data = join(dir, 'mysql');
  for (const leftover of readdirSync(dir).filter((name) => name.startsWith('mysql.new-'))) {
    rmSync(join(dir, leftover), { recursive: true, force: true });
  }
  if (existsSync(data)) return;
  const name = `mysql.new-${process.pid}`;
  const draft = join(dir, name);
  const common = (at: string): string[] => [
    '--no-defaults',
    ...asRoot(),
    `--datadir=${join(at, name)}`,
    ownTemporary(at),
    ...sizes(purpose),
  ];
  try {
    if (binaries.flavour === 'mariadb') {
      const others = ['--skip-test-db', '--skip-name-resolve', '--auth-root-authentication-method=socket'];
      await underPlainPath(dir, (at) => run(binaries.installer, [...common(at), ...others], { cwd: dir }));
    } else {
      mkdirSync(draft, { mode: 0o700 });
      await run(binaries.server, [...common(dir), '--initialize-insecure'], { cwd: dir });
    }
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw new ServicesError(`The database's folder could not be made by ${binaries.server}:\n${messageOf(error)}`, {
      cause: error,
    });
  }
  chmodSync(draft, 0o700);
  renameSync(draft, data);
}

/**
 * MariaDB's installer is a shell script that does not quote its arguments: a folder's name would end at its first space,
 * and as root it would then hand another folder over. It gets a link without one instead.
 */
async function underPlainPath(dir: string, work: (at: string) => Promise<unknown>): Promise<void> {
  if (!/\s/.test(dir)) {
    await work(dir);
    return;
  }
  const base = mkdtempSync(join(/\s/.test(tmpdir()) ? '/tmp' : tmpdir(), 'verdict-'));
  try {
    const link = join(base, 'run');
    symlinkSync(dir, link);
    await work(link);
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

/** Starts the server. Gives the address of the application's database. */
export async function startMysql(options: MysqlOptions, onSpawn: (mark: ProcessMark) => void): Promise<string> {
  const { binaries, dir, port, passwords } = options;
  const initFile = join(dir, 'mysql-init.sql');
  writeFileSync(initFile, accounts(options), { mode: 0o600 });
  const url = mysqlUrl({ user: applicationUser, password: passwords.application, port, database: applicationDatabase });
  const program = {
    ...{ name: 'The database server', binary: binaries.server, args: serverArguments(options, initFile) },
    ...{ dir, logFile: join(dir, 'mysql.log'), lines: 12 },
    ...{ ping: () => pingMysql(url), timeoutMs: startTimeoutMs, graceMs: mysqlGraceMs },
  };
  await startServerProgram(program, onSpawn).finally(() => rmSync(initFile, { force: true }));
  return url;
}

function serverArguments(options: MysqlOptions, initFile: string): string[] {
  const { dir, socketDir, port, purpose } = options;
  return [
    '--no-defaults',
    ...asRoot(),
    `--datadir=${join(dir, 'mysql')}`,
    ownTemporary(dir),
    `--socket=${join(socketDir, 'mysql.sock')}`,
    `--pid-file=${join(dir, 'mysql.pid')}`,
    `--init-file=${initFile}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--skip-log-bin',
    '--loose-mysqlx=OFF',
    '--performance-schema=OFF',
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_bin',
    '--default-time-zone=+00:00',
    '--transaction-isolation=READ-COMMITTED',
    '--innodb-lock-wait-timeout=3',
    '--max-connections=300',
    '--max-allowed-packet=64M',
    ...sizes(purpose),
  ];
}

function sizes(purpose: MysqlPurpose): string[] {
  if (purpose === 'production') return ['--innodb-buffer-pool-size=256M', '--innodb-flush-log-at-trx-commit=1'];
  // Written at each commit but not flushed: survives kill -9, which the fault tests do, and not a power cut.
  const unflushed = ['--innodb-flush-log-at-trx-commit=2', '--innodb-doublewrite=OFF'];
  // MariaDB then never waits for a disk; MySQL does not know the option.
  const unsynced = '--loose-debug-no-sync';
  if (purpose === 'test')
    return [...unflushed, unsynced, '--innodb-buffer-pool-size=128M', '--loose-innodb-log-file-size=32M'];
  return [
    ...unflushed,
    '--innodb-buffer-pool-size=1G',
    '--loose-innodb-log-file-size=512M',
    '--loose-innodb-redo-log-capacity=512M',
  ];
}

/** A server that starts removes every temporary table in its folder for them, so two must not share one. */
function ownTemporary(dir: string): string {
  const folder = join(dir, 'mysql-tmp');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return `--tmpdir=${folder}`;
}

/** The server refuses to run as root unless told so; a private one on the loopback address may. */
function asRoot(): string[] {
  return process.getuid?.() === 0 ? ['--user=root'] : [];
}

/** Runs at each start, before the first connection; repeats without harm. */
function accounts({ binaries, passwords, throwAway }: MysqlOptions): string {
  const user = `'${applicationUser}'@'127.0.0.1'`;
  const statements = [
    `CREATE DATABASE IF NOT EXISTS ${applicationDatabase} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
    `CREATE USER IF NOT EXISTS ${user} IDENTIFIED BY '${passwords.application}'`,
    `ALTER USER ${user} IDENTIFIED BY '${passwords.application}'`,
    `GRANT ALL PRIVILEGES ON ${applicationDatabase}.* TO ${user}`,
    // Tests make scratch databases beside the first.
    ...(throwAway ? [`GRANT ALL PRIVILEGES ON \`${applicationDatabase}\\_%\`.* TO ${user}`] : []),
    // MariaDB's root is bound to the socket and the system user; MySQL's is open until this line.
    ...(binaries.flavour === 'mysql' ? [`ALTER USER 'root'@'localhost' IDENTIFIED BY '${passwords.root}'`] : []),
  ];
  return statements.map((statement) => `${statement};\n`).join('');
}
