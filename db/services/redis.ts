import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServicesError } from './errors.js';
import { tailOf } from './files.js';
import { startDetached, terminate, type StartedProcess } from './processes.js';
import { pingRedis, waitFor } from './urls.js';

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

/** Starts Redis as a cache: nothing is kept on disk, the least used goes first. */
export async function startRedis(
  { binary, dir, port, password }: RedisOptions,
  onSpawn: (started: StartedProcess) => void,
): Promise<{ process: StartedProcess; url: string }> {
  const logFile = join(dir, 'redis.log');
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
  const process = await startDetached(binary.server, [configFile], logFile, dir);
  onSpawn(process);
  const url = `redis://:${password}@127.0.0.1:${port}`;
  try {
    await waitFor(
      () => pingRedis(url),
      startTimeoutMs,
      () => process.child.exitCode !== null || process.child.signalCode !== null,
    );
  } catch (error) {
    await terminate(process.mark, redisGraceMs);
    throw new ServicesError(`Redis did not start. The end of ${logFile}:\n${tailOf(logFile, 8)}`, { cause: error });
  }
  return { process, url };
}
