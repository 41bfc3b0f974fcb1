import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFolder } from '../packageFolder.js';
import { Refusal, isCheckout } from './failures.js';
import { printable } from './printable.js';
import { readJson } from './privateJson.js';
import { isAlive, isMark } from './processMark.js';

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

const packageDirectory = fileURLToPath(packageFolder);
const runFile = join('.run', 'env.json');

/**
 * The variables to read the configuration from. Where DATABASE_URL is not set, or is the very one of a running
 * `make run`, what that wrote into `.run/env.json` fills the gaps; what the caller has set always wins.
 *
 * Only the file of the project that this command line belongs to counts, never that of the folder which it is called in:
 * a folder that was unpacked from elsewhere could name a database of its maker's.
 * @param project the folder of that project
 * @throws Refusal when there is no database to work on
 */
export function settingsFor(environment: EnvironmentVariables, project = packageDirectory): EnvironmentVariables {
  const given = environment['DATABASE_URL'];
  const isGiven = given !== undefined && given !== '';
  const running = readRunFile(join(project, runFile));
  if (isGiven)
    return running.variables?.['DATABASE_URL'] === given ? fillGaps(environment, running.variables) : environment;
  if (running.variables !== undefined) return fillGaps(environment, running.variables);
  const because = running.refused === undefined ? '' : ` (${running.refused})`;
  const how = isCheckout
    ? 'Start one with `make run` (in another terminal), or set DATABASE_URL and ENCRYPTION_KEY.'
    : 'Sign in with `verdict login`; or, as an operator, set DATABASE_URL and ENCRYPTION_KEY.';
  throw new Refusal(`no database to work on${because}. ${how}`);
}

/**
 * The service of a running `make run` of this project, with the client of its demo; undefined where there is none.
 * @param project the folder of that project
 */
export function runningDemo(
  project = packageDirectory,
): { url: string; clientId: string; clientSecret: string; workspaceId: string } | undefined {
  const url = readRunFile(join(project, runFile)).variables?.['ISSUER'];
  if (url === undefined) return undefined;
  // Beside the run's file, in a folder of the same owner; `make run` writes both.
  const { demo } = (readJson(join(project, '.run', 'demo.json')) ?? {}) as { demo?: Record<string, unknown> };
  const { clientId, clientSecret, workspaceId } = demo ?? {};
  if (typeof clientId !== 'string' || typeof clientSecret !== 'string' || typeof workspaceId !== 'string') {
    return undefined;
  }
  return { url, clientId, clientSecret, workspaceId };
}

function fillGaps(environment: EnvironmentVariables, defaults: EnvironmentVariables): EnvironmentVariables {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '');
  return { ...defaults, ...Object.fromEntries(set) };
}

/** What a running `make run` wrote, or why its file is not used; neither where there is no such run. */
interface RunFile {
  readonly variables?: EnvironmentVariables;
  readonly refused?: string;
}

function readRunFile(path: string): RunFile {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    return isAbsent ? {} : { refused: `${printable(path)} cannot be opened` };
  }
  try {
    const stranger = strangerOf(file);
    if (stranger !== undefined) return { refused: `${printable(path)} ${stranger}` };
    const variables = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
    // A run removes its file when it ends; after kill -9 a stale one remains.
    if (isMark(variables['owner']) && !isAlive(variables['owner'])) return {};
    const texts = Object.entries(variables).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return { variables: Object.fromEntries(texts) };
  } catch {
    return { refused: `${printable(path)} cannot be read` };
  } finally {
    closeSync(file);
  }
}

/** Why another user may have written the open file; undefined where none can have. */
export function strangerOf(file: number): string | undefined {
  const { uid, mode } = fstatSync(file);
  if (process.getuid !== undefined && uid !== process.getuid()) return 'belongs to another user';
  const writableByOthers = 0o022;
  return (mode & writableByOthers) === 0 ? undefined : 'may be written by other users';
}
