import { canInstallByApt, installByApt, type ServiceName } from './apt.js';
import { dockerAnswers } from './docker.js';
import { messageOf, ServicesError } from './errors.js';
import { findBinary } from './lookup.js';
import { findMysql, type MysqlBinaries } from './mysql.js';
import type { RedisBinary } from './redis.js';

/** What the machine can give; a value of its own, so that its absence can be tried out. */
export interface Machine {
  readonly findMysql: () => Promise<MysqlBinaries | undefined>;
  findRedis(): RedisBinary | undefined;
  readonly canInstall: boolean;
  install(names: readonly ServiceName[]): Promise<void>;
  dockerAnswers(): Promise<boolean>;
}

/** This machine, with programs looked up in `folders`, and `apt.log` written to `dir`. */
export function thisMachine(folders: readonly string[], dir: string): Machine {
  return {
    findMysql: () => findMysql(folders),
    findRedis() {
      const server = findBinary(['redis-server', 'valkey-server'], folders);
      return server === undefined ? undefined : { server };
    },
    canInstall: canInstallByApt(folders),
    install: (names) => installByApt(names, dir),
    dockerAnswers: () => dockerAnswers(folders),
  };
}

/** Where each needed service comes from; `redis` undefined: nowhere, and the service runs without it. */
interface Sources {
  readonly mysql: MysqlBinaries | 'docker' | undefined;
  readonly redis: RedisBinary | 'docker' | undefined;
}

/**
 * Finds the needed services: programs on the machine, else installed by apt, else containers.
 * Throws `ServicesError`, which says what to install, when there is no MySQL to be had.
 */
export async function provide(
  needed: readonly ServiceName[],
  machine: Machine,
  say: (line: string) => void,
): Promise<Sources> {
  let found = await look(needed, machine);
  if (found.missing.length > 0 && machine.canInstall) {
    say(`Not installed: ${titles(found.missing)}. Installing by apt-get; this may take a minute …`);
    try {
      await machine.install(found.missing);
    } catch (error) {
      say(messageOf(error));
    }
    found = await look(needed, machine);
  }
  if (found.missing.length === 0) return found;
  if (await machine.dockerAnswers()) {
    say(`Not installed: ${titles(found.missing)}. Using Docker; the first time it loads the images …`);
    const inDocker = (name: ServiceName): 'docker' | undefined => (found.missing.includes(name) ? 'docker' : undefined);
    return { mysql: found.mysql ?? inDocker('mysql'), redis: found.redis ?? inDocker('redis') };
  }
  if (found.missing.includes('mysql')) throw new ServicesError(howToInstall(found.missing));
  return found;
}

async function look(
  needed: readonly ServiceName[],
  machine: Machine,
): Promise<{ mysql: MysqlBinaries | undefined; redis: RedisBinary | undefined; missing: ServiceName[] }> {
  const mysql = needed.includes('mysql') ? await machine.findMysql() : undefined;
  const redis = needed.includes('redis') ? machine.findRedis() : undefined;
  const there = { mysql, redis };
  return { mysql, redis, missing: needed.filter((name) => there[name] === undefined) };
}

function titles(names: readonly ServiceName[]): string {
  return names.map((name) => (name === 'mysql' ? 'MariaDB' : 'Redis')).join(' and ');
}

function howToInstall(missing: readonly ServiceName[]): string {
  const redis = missing.includes('redis');
  return [
    'Verdict needs MySQL 8 or MariaDB 10.6 or later, and found neither on this machine. One of these helps:',
    `  Debian, Ubuntu   sudo apt-get install mariadb-server${redis ? ' redis-server' : ''}`,
    `  Fedora, RHEL     sudo dnf install mariadb-server${redis ? ' redis' : ''}`,
    `  macOS            brew install mariadb${redis ? ' redis' : ''}`,
    '  Docker           start the engine; the servers are then taken from deploy/compose.yaml',
    '  your own server  DATABASE_URL=mysql://user:password@host:3306/verdict make run',
    'Then run the same command again.',
  ].join('\n');
}
