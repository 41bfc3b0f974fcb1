import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../root.js';
import type { ServiceName } from './apt.js';
import { messageOf, ServicesError } from './errors.js';
import { findBinary } from './lookup.js';

const run = promisify(execFile);
const composeFile = join(projectRoot, 'deploy', 'compose.yaml');

/** True when `docker` is in one of `folders`, knows `compose` and has an engine that answers. */
export async function dockerAnswers(folders: readonly string[]): Promise<boolean> {
  if (findBinary(['docker'], folders) === undefined) return false;
  try {
    await run('docker', ['compose', 'version'], { timeout: 10_000 });
    await run('docker', ['info'], { timeout: 10_000 });
    return true;
  } catch {
    return false;
  }
}

/** What the containers of one folder need to know; ports are of the loopback address. */
export interface ContainerOptions {
  readonly dir: string;
  readonly services: readonly ServiceName[];
  readonly mysqlPort: number;
  readonly redisPort: number;
  readonly passwords: { readonly application: string; readonly root: string; readonly redis: string };
}

/** Starts the containers and waits until they are healthy; pulling the images may take minutes. */
export async function startContainers(options: ContainerOptions): Promise<void> {
  const { passwords } = options;
  const env = {
    ...process.env,
    VERDICT_MYSQL_PORT: String(options.mysqlPort),
    VERDICT_REDIS_PORT: String(options.redisPort),
    VERDICT_MYSQL_PASSWORD: passwords.application,
    VERDICT_MYSQL_ROOT_PASSWORD: passwords.root,
    VERDICT_REDIS_PASSWORD: passwords.redis,
  };
  const [program, ...args] = composeCommand(options.dir);
  try {
    await run(program, [...args, 'up', '--detach', '--wait', ...options.services], { env });
  } catch (error) {
    throw new ServicesError(`Docker could not start ${options.services.join(' and ')}:\n${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** The command that ends the containers of a folder; for throw-away ones their data goes too. */
export function stopCommand(dir: string, throwAway: boolean): [string, ...string[]] {
  return [...composeCommand(dir), ...(throwAway ? ['down', '--volumes'] : ['stop'])];
}

/** Runs a command made by `stopCommand`; a failure is not worth failing a shutdown for. */
export async function stopContainers([program, ...args]: readonly [string, ...string[]]): Promise<void> {
  await run(program, args).catch(() => undefined);
}

function composeCommand(dir: string): [string, ...string[]] {
  const project = `verdict-${createHash('sha256').update(resolve(dir)).digest('hex').slice(0, 10)}`;
  return ['docker', 'compose', '--file', composeFile, '--project-name', project];
}
