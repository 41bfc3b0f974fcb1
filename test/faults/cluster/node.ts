import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { connectMysql } from '../../../db/services/urls.js';
import { addPlace, at, plugCable, pullCable } from './network.js';
import { stateOf, type ClusterKind, type NodeState } from './states.js';
import { hasRoom, type WritableOptions } from './writable.js';

const run = promisify(execFile);

export const adminPort = 9200;
const databasePort = 3306;
/** Not root: rsync, by which Galera copies a node's data, gives up root's rights by itself, and then may not write. */
export const serverUser = 'nobody';
/** As the service manager of a machine waits. */
const startAgainMs = 2000;

export interface NodeOptions {
  readonly kind: ClusterKind;
  /** From 1 on. */
  readonly number: number;
  /** An empty folder for its disk. */
  readonly dir: string;
  readonly log: string;
  readonly server: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly diskMb: number;
  /** What it is started with, besides its folder and its address. */
  readonly settings: (node: DatabaseNode) => Promise<readonly string[]>;
}

/** One machine of a cluster: a network place, a small disk, a database server that is started again when it ends. */
export class DatabaseNode {
  readonly name: string;
  readonly address: string;
  readonly dir: string;
  readonly #options: NodeOptions;
  #server: ChildProcess | undefined;
  #writable: ChildProcess | undefined;
  #isWanted = false;

  constructor(options: NodeOptions) {
    this.#options = options;
    this.name = `n${options.number}`;
    this.address = `10.77.0.${options.number}`;
    this.dir = options.dir;
  }

  get number(): number {
    return this.#options.number;
  }

  get dataDir(): string {
    return join(this.dir, 'mysql');
  }

  /** Of a user with all rights, without a database; or of the service's. */
  url(database = '', user = 'cluster'): string {
    return `mysql://${user}:${user}@${this.address}:${databasePort}/${database}`;
  }

  /** Its disk with a copy of that data, and its network; not yet the server. */
  async prepare(template: string): Promise<void> {
    mkdirSync(this.dir, { recursive: true });
    await run('mount', ['-t', 'tmpfs', '-o', `size=${this.#options.diskMb}m`, 'tmpfs', this.dir]);
    await run('cp', ['-a', template, this.dataDir]);
    rmSync(join(this.dataDir, 'auto.cnf'), { force: true });
    mkdirSync(join(this.dir, 'tmp'));
    await run('chown', ['-R', serverUser, this.dir]);
    await addPlace(this.name, this.address);
  }

  /** Starts who tells HAProxy of it, once the cluster stands. */
  attend(): void {
    const { kind } = this.#options;
    const told: WritableOptions = { kind, url: this.url(), port: adminPort, dir: this.dir, pidFile: this.#pidFile };
    const program = join(import.meta.dirname, 'writable.js');
    this.#writable = this.#spawn([process.execPath, program, JSON.stringify(told)], process.env);
  }

  get #pidFile(): string {
    return join(this.dir, 'mysqld.pid');
  }

  /** Lets it run, now and whenever it ends by itself. */
  async start(more: readonly string[] = []): Promise<void> {
    this.#isWanted = true;
    const { server, environment, settings } = this.#options;
    const words = [
      server,
      '--no-defaults',
      `--user=${serverUser}`,
      `--datadir=${this.dataDir}`,
      `--tmpdir=${join(this.dir, 'tmp')}`,
      `--socket=${join(this.dir, 'mysql.sock')}`,
      `--pid-file=${this.#pidFile}`,
      `--port=${databasePort}`,
      `--server-id=${this.number}`,
      ...common,
      ...(await settings(this)),
      ...more,
    ];
    const child = this.#spawn(words, { ...process.env, ...environment });
    this.#server = child;
    child.once('exit', () => void this.#startAgain(child));
  }

  async #startAgain(ended: ChildProcess): Promise<void> {
    const isToStart = (): boolean => this.#isWanted && this.#server === ended;
    // The folder of a node that is not wanted any more may be gone.
    do await sleep(startAgainMs);
    while (isToStart() && !hasRoom(this.dir));
    if (isToStart()) await this.start();
  }

  #spawn([command = '', ...words]: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
    const [enter = '', ...place] = at(this.name);
    const log = openSync(this.#options.log, 'a');
    const child = spawn(enter, [...place, command, ...words], { env, stdio: ['ignore', log, log] });
    closeSync(log);
    return child;
  }

  /** What it says of itself; undefined where it does not answer. */
  async state(): Promise<NodeState | undefined> {
    try {
      return await this.query((connection) => stateOf(this.#options.kind, connection));
    } catch {
      return undefined;
    }
  }

  async query<T>(work: (connection: Awaited<ReturnType<typeof connectMysql>>) => Promise<T>): Promise<T> {
    const connection = await connectMysql(this.url());
    connection.on('error', () => undefined);
    try {
      return await work(connection);
    } finally {
      connection.destroy();
    }
  }

  /** kill -9, as if the machine had lost its power: nothing starts it again. */
  async kill(): Promise<void> {
    this.#isWanted = false;
    const child = this.#server;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  }

  /** SIGSTOP, of all that runs on that machine. */
  freeze(): void {
    for (const child of [this.#server, this.#writable]) child?.kill('SIGSTOP');
  }

  thaw(): void {
    for (const child of [this.#server, this.#writable]) child?.kill('SIGCONT');
  }

  cutOff(): Promise<unknown> {
    return pullCable(this.name);
  }

  reconnect(): Promise<unknown> {
    return plugCable(this.name);
  }

  /** To the last byte. */
  async fillDisk(): Promise<void> {
    // It ends with an error when the disk is full.
    await run('dd', ['if=/dev/zero', `of=${join(this.dir, 'filler')}`, 'bs=1M']).catch(() => undefined);
  }

  emptyDisk(): void {
    rmSync(join(this.dir, 'filler'), { force: true });
  }

  async end(): Promise<void> {
    await this.kill();
    this.#writable?.kill('SIGKILL');
    await run('umount', ['--lazy', this.dir]);
  }
}

const common = [
  '--bind-address=0.0.0.0',
  '--skip-name-resolve',
  '--max-connections=300',
  '--innodb-buffer-pool-size=96M',
  '--innodb-flush-log-at-trx-commit=1',
  '--innodb-lock-wait-timeout=3',
  '--transaction-isolation=READ-COMMITTED',
  '--character-set-server=utf8mb4',
  '--collation-server=utf8mb4_bin',
  '--default-time-zone=+00:00',
  '--loose-mysqlx=OFF',
];
