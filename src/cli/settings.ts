import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMark } from '../../db/services/lock.js';
import { isAlive } from '../../db/services/processes.js';
import { Refusal } from './failures.js';

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** Of the package, seen from dist/src/cli. */
const packageDirectory = fileURLToPath(new URL('../../../', import.meta.url));
const runFile = join('.run', 'env.json');

/**
 * The variables to read the configuration from. Where DATABASE_URL is not set, or is the very one of a running
 * `make run`, what that wrote into `.run/env.json` fills the gaps; what the caller has set always wins.
 * @param directory looked at first, with those above it; then comes `besides`
 * @throws Refusal when there is no database to work on
 */
export function settingsFor(
  environment: EnvironmentVariables,
  directory: string,
  besides = packageDirectory,
): EnvironmentVariables {
  const running = readRunFile(directory, besides);
  const given = environment['DATABASE_URL'];
  if (given === undefined || given === '') {
    if (running === undefined) {
      throw new Refusal(
        'no database to work on. Start one with `make run` (in another terminal), or set DATABASE_URL and ENCRYPTION_KEY.',
      );
    }
    return fillGaps(environment, running);
  }
  return running?.['DATABASE_URL'] === given ? fillGaps(environment, running) : environment;
}

function fillGaps(environment: EnvironmentVariables, defaults: EnvironmentVariables): EnvironmentVariables {
  const set = Object.entries(environment).filter(([, value]) => value !== undefined && value !== '');
  return { ...defaults, ...Object.fromEntries(set) };
}

function readRunFile(directory: string, besides: string): EnvironmentVariables | undefined {
  const candidates: string[] = [];
  for (let folder = directory; ; folder = dirname(folder)) {
    candidates.push(join(folder, runFile));
    if (folder === dirname(folder)) break;
  }
  const path = [...candidates, join(besides, runFile)].find((candidate) => existsSync(candidate));
  if (path === undefined) return undefined;
  try {
    const variables = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
    // The run removes its file when it ends; after kill -9 it stays, and names a database that nobody means any more.
    if (isMark(variables['owner']) && !isAlive(variables['owner'])) return undefined;
    return Object.fromEntries(
      Object.entries(variables).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    throw new Refusal(`${path} cannot be read. Start \`make run\` again, or set DATABASE_URL and ENCRYPTION_KEY.`);
  }
}
