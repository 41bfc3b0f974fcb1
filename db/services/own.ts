import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceName } from './apt.js';
import { projectOf, startContainers, stopCommand, stopContainers } from './docker.js';
import { messageOf } from './errors.js';
import { initialiseMysql, mysqlGraceMs, startMysql, type MysqlBinaries, type MysqlPurpose } from './mysql.js';
import { freePort, isPortFree } from './ports.js';
import { isAlive, type ProcessMark } from '../../src/cli/processMark.js';
import { terminate } from './processes.js';
import { provide, thisMachine } from './provide.js';
import { redisGraceMs, startRedis, type RedisBinary } from './redis.js';
import { clearState, passwordsOf, readPorts, readState, writeState, type RunningService } from './state.js';
import { mysqlUrl } from './urls.js';
import type { Ties } from './ties.js';

interface OwnOptions {
  readonly dir: string;
  readonly needed: readonly ServiceName[];
  readonly folders: readonly string[];
  readonly mysql: MysqlBinaries | undefined;
  readonly throwAway: boolean;
  readonly purpose: MysqlPurpose;
  readonly say: (line: string) => void;
  readonly ties: Ties;
}

/** Services that this process started; `databaseUrl` is empty when MySQL was not asked for. */
interface OwnServices {
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  readonly pids: { readonly mysql?: number; readonly redis?: number };
  stop(): Promise<void>;
}

/** Starts private services in `dir`, of which this process must be the owner. */
export async function startOwn(options: OwnOptions): Promise<OwnServices> {
  const run = new OwnRun(options);
  try {
    await run.start();
    return run;
  } catch (error) {
    await run.stop();
    throw error;
  }
}

/** One life of the services of a folder: what has been started so far, so that all of it can be ended at any moment. */
class OwnRun implements OwnServices {
  private readonly options: OwnOptions;
  private readonly running = new Map<ServiceName, RunningService>();
  private socketDir: string | undefined;
  private stopDocker: ReturnType<typeof stopCommand> | undefined;

  constructor(options: OwnOptions) {
    this.options = options;
  }

  get databaseUrl(): string {
    return this.running.get('mysql')?.url ?? '';
  }

  get redisUrl(): string | null {
    return this.running.get('redis')?.url ?? null;
  }

  get pids(): { mysql?: number; redis?: number } {
    const mysql = this.running.get('mysql')?.mark?.pid;
    const redis = this.running.get('redis')?.mark?.pid;
    return { ...(mysql === undefined ? {} : { mysql }), ...(redis === undefined ? {} : { redis }) };
  }

  async start(): Promise<void> {
    const { dir, needed, folders, mysql: chosen, say } = this.options;
    await endLeftovers(dir, say);
    const machine = thisMachine(folders, dir);
    const findMysql = chosen === undefined ? machine.findMysql : () => Promise.resolve(chosen);
    const sources = await provide(needed, { ...machine, findMysql }, say);
    const inDocker = needed.filter((name) => sources[name] === 'docker');
    if (inDocker.length > 0) await this.startInDocker(inDocker);
    const { mysql, redis } = sources;
    // Both at once; a failure is thrown only when neither is still on its way, so that stop() sees all there is.
    const [database] = await Promise.allSettled([
      mysql === undefined || mysql === 'docker' ? undefined : this.startDatabase(mysql),
      redis === undefined || redis === 'docker' ? undefined : this.startCache(redis),
    ]);
    if (database.status === 'rejected') throw database.reason;
    if (needed.includes('redis') && this.redisUrl === null) {
      say('No Redis: the service runs without it, slower. Install redis-server, or set REDIS_URL.');
    }
    this.save(true);
  }

  /** Ends everything in order; what is not running any more is no fault. */
  async stop(): Promise<void> {
    const { dir } = this.options;
    const marks = (['redis', 'mysql'] as const).map((name) => ({ name, mark: this.running.get(name)?.mark }));
    await Promise.all(
      marks.map(async ({ name, mark }) => {
        if (mark !== undefined) await terminate(mark, name === 'mysql' ? mysqlGraceMs : redisGraceMs);
      }),
    );
    if (this.stopDocker !== undefined) await stopContainers(this.stopDocker);
    if (this.socketDir !== undefined && this.socketDir !== dir)
      rmSync(this.socketDir, { recursive: true, force: true });
    clearState(dir);
  }

  private async startDatabase(binaries: MysqlBinaries): Promise<void> {
    const { dir, throwAway, purpose } = this.options;
    const socketDir = this.makeSocketDir();
    const common = { binaries, dir, socketDir, passwords: passwordsOf(dir), throwAway, purpose };
    await initialiseMysql(common);
    await onFreePort(readPorts(dir).mysql, async (port) => {
      const url = await startMysql({ ...common, port }, (mark) => this.note('mysql', mark, port, mysqlGraceMs));
      this.running.set('mysql', { ...this.running.get('mysql'), url, port });
    });
  }

  private async startCache(binary: RedisBinary): Promise<void> {
    const { dir, say } = this.options;
    const password = passwordsOf(dir).redis;
    try {
      await onFreePort(readPorts(dir).redis, async (port) => {
        const onSpawn = (mark: ProcessMark): void => this.note('redis', mark, port, redisGraceMs);
        const url = await startRedis({ binary, dir, port, password }, onSpawn);
        this.running.set('redis', { ...this.running.get('redis'), url, port });
      });
    } catch (error) {
      // A cache that cannot start is no reason not to serve.
      this.running.delete('redis');
      say(messageOf(error));
    }
  }

  private async startInDocker(services: readonly ServiceName[]): Promise<void> {
    const { dir, throwAway, ties } = this.options;
    const before = readPorts(dir);
    const [mysqlPort, redisPort] = [await freePort(before.mysql), await freePort(before.redis)];
    const passwords = passwordsOf(dir);
    const project = projectOf(dir, passwords);
    this.stopDocker = stopCommand(project, throwAway);
    ties.run(this.stopDocker);
    await startContainers({ project, services, mysqlPort, redisPort, passwords });
    const database = { user: 'verdict', password: passwords.application, port: mysqlPort, database: 'verdict' };
    if (services.includes('mysql')) this.running.set('mysql', { url: mysqlUrl(database), port: mysqlPort });
    if (services.includes('redis')) {
      this.running.set('redis', { url: `redis://:${passwords.redis}@127.0.0.1:${redisPort}`, port: redisPort });
    }
  }

  private makeSocketDir(): string {
    const folder = shortFolder(this.options.dir);
    this.socketDir = folder;
    if (folder !== this.options.dir) this.options.ties.removeFolder(folder);
    return folder;
  }

  /** From the moment there is a process: it ends with this one, and the state names it. */
  private note(name: ServiceName, mark: ProcessMark, port: number, graceMs: number): void {
    this.running.set(name, { url: '', port, mark });
    this.options.ties.watch(mark, graceMs);
    this.save(false);
  }

  private save(ready: boolean): void {
    writeState(this.options.dir, { ready, ...Object.fromEntries(this.running) });
  }
}

/** Another program may take a port between its choice and its use: then once more, with another. */
async function onFreePort(preferred: number | undefined, start: (port: number) => Promise<void>): Promise<void> {
  const port = await freePort(preferred);
  try {
    await start(port);
  } catch (error) {
    if (await isPortFree(port)) throw error;
    await start(await freePort());
  }
}

/** After a kill -9 servers may live on, or be ending by their ties: a second one on the same data must wait for that. */
async function endLeftovers(dir: string, say: (line: string) => void): Promise<void> {
  const { mysql, redis } = readState(dir);
  const left = [mysql?.mark, redis?.mark].filter((mark): mark is ProcessMark => mark !== undefined && isAlive(mark));
  if (left.length > 0) say('The last run was killed: ending the servers that it left …');
  await Promise.all(left.map((mark) => terminate(mark, mysqlGraceMs)));
  clearState(dir);
}

// The system's limit of a socket's whole path is 107 bytes on Linux, 103 on macOS.
const longestSocketFolder = 90;

function shortFolder(dir: string): string {
  if (Buffer.byteLength(dir) <= longestSocketFolder) return dir;
  const base = Buffer.byteLength(tmpdir()) <= longestSocketFolder - 20 ? tmpdir() : '/tmp';
  return mkdtempSync(join(base, 'verdict-'));
}
