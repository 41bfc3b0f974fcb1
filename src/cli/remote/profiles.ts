import { isRecord } from '../../../workers/json/index.js';
import { mkdirSync, openSync, closeSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { writePrivateJson } from '../privateJson.js';
import { Refusal, codeOf } from '../failures.js';
import { strangerOf, type EnvironmentVariables } from '../settings.js';

/** What `verdict login` keeps of a service and a client of it. */
export interface Profile {
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Used where neither a flag nor a variable names one. */
  readonly workspaceId?: string;
}

export interface Profiles {
  /** The one that commands use unless they are told otherwise. */
  readonly current?: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

/** The file of profiles: `verdict/config.json` in `$XDG_CONFIG_HOME`, which is `~/.config` where it is not set. */
function profilesPath(environment: EnvironmentVariables): string {
  const given = environment['XDG_CONFIG_HOME'] ?? '';
  // The XDG specification has relative paths ignored.
  const base = isAbsolute(given) ? given : join(environment['HOME'] ?? homedir(), '.config');
  return join(base, 'verdict', 'config.json');
}

/**
 * The stored profiles; none where there is no file.
 * @throws Refusal where the file is damaged, or where others may have written it
 */
export function readProfiles(environment: EnvironmentVariables): Profiles {
  const path = profilesPath(environment);
  const text = readOwn(path);
  if (text === undefined) return { profiles: {} };
  try {
    const value = JSON.parse(text) as unknown;
    if (isProfiles(value)) return value;
  } catch {
    // As a file of another form.
  }
  throw new Refusal(`${path} is damaged. Delete it and sign in again: verdict login`);
}

function readOwn(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) {
      return undefined;
    }
    throw new Refusal(`${path} cannot be opened.`);
  }
  try {
    const stranger = strangerOf(file);
    if (stranger !== undefined) throw new Refusal(`${path} ${stranger}, so it is not used.`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Replaces the file in one step; only its owner may read it. */
export function writeProfiles(environment: EnvironmentVariables, profiles: Profiles): void {
  const path = profilesPath(environment);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writePrivateJson(path, profiles);
  } catch (error) {
    throw new Refusal(`${path} cannot be written${codeOf(error)}.`);
  }
}

function isProfiles(value: unknown): value is Profiles {
  if (!isRecord(value) || !isRecord(value['profiles'])) return false;
  const { current } = value;
  if (current !== undefined && typeof current !== 'string') return false;
  return Object.values(value['profiles']).every(isProfile);
}

const isProfile = (value: unknown): value is Profile =>
  isRecord(value) &&
  ['url', 'clientId', 'clientSecret'].every((name) => typeof value[name] === 'string') &&
  (value['workspaceId'] === undefined || typeof value['workspaceId'] === 'string');
