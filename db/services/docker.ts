import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../root.js';
import type { ServiceName } from './apt.js';
import { messageOf, ServicesError } from './errors.js';
import { findBinary } from './lookup.js';
import type { Passwords } from './state.js';

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

/**
 * The name of a folder's containers and volume. Both folder and passwords have a part in it: the volume goes on with the
 * passwords that it was made with, so new ones need a new volume, and a copy of the folder needs its own.
 */
export function projectOf(dir: string, { id }: Passwords): string {
  const hash = createHash('sha256')
    .update(`${resolve(dir)}${id}`)
    .digest('hex');
  return `verdict-${hash.slice(0, 10)}`;
}

/** What the containers of one folder need to know; ports are of the loopback address. */
interface ContainerOptions {
  /** As `projectOf` says. */
  readonly project: string;
  readonly services: readonly ServiceName[];
  readonly mysqlPort: number;
  readonly redisPort: number;
  readonly passwords: Passwords;
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
  const [program, ...args] = composeCommand(options.project);
  try {
    await run(program, [...args, 'up', '--detach', '--wait', ...options.services], { env });
  } catch (error) {
    throw new ServicesError(`Docker could not start ${options.services.join(' and ')}:\n${messageOf(error)}`, {
      cause: error,
    });
  }
}

/** The command that ends the containers of a project; for throw-away ones their data goes too. */
export function stopCommand(project: string, throwAway: boolean): [string, ...string[]] {
  return [...composeCommand(project), ...(throwAway ? ['down', '--volumes'] : ['stop'])];
}

/** Runs a command made by `stopCommand`; a failure is not worth failing a shutdown for. */
export async function stopContainers([program, ...args]: readonly [string, ...string[]]): Promise<void> {
  await run(program, args).catch(() => undefined);
}

function composeCommand(project: string): [string, ...string[]] {
  return ['docker', 'compose', '--file', composeFile, '--project-name', project];
}
