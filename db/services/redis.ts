import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessMark } from '../../src/cli/processMark.js';
import { startServerProgram } from './processes.js';
import { pingRedis } from './urls.js';

const startTimeoutMs = 10_000;
export const redisGraceMs = 5000;

/** The program of Redis, or of a server that speaks its protocol. */
export interface RedisBinary {
  readonly server: string;
}

/** What one private Redis needs to know. */
interface RedisOptions {
  readonly binary: RedisBinary;
  /** Holds `redis.conf` and `redis.log`. */
  readonly dir: string;
  readonly port: number;
  readonly password: string;
}

/** Starts Redis as a cache: nothing is kept on disk, the least used goes first. Gives its address. */
export async function startRedis(
  { binary, dir, port, password }: RedisOptions,
  onSpawn: (mark: ProcessMark) => void,
): Promise<string> {
  const configFile = join(dir, 'redis.conf');
  // In a file, because arguments are in sight of every user of the machine.
  const config = [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    'daemonize no',
    'save ""',
    'appendonly no',
    'maxmemory 128mb',
    'maxmemory-policy allkeys-lru',
  ];
  writeFileSync(configFile, `${config.join('\n')}\n`, { mode: 0o600 });
  const url = `redis://:${password}@127.0.0.1:${port}`;
  const program = {
    ...{ name: 'Redis', binary: binary.server, args: [configFile], dir, logFile: join(dir, 'redis.log'), lines: 8 },
    ...{ ping: () => pingRedis(url), timeoutMs: startTimeoutMs, graceMs: redisGraceMs },
  };
  await startServerProgram(program, onSpawn);
  return url;
}
