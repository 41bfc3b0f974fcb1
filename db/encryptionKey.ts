import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { settings } from '../src/config/config.js';
import { messageOf, ServicesError } from './services/errors.js';
import { readJson, writePrivateJson } from '../src/cli/privateJson.js';

/**
 * The key to run with: the one that is given, else the one kept in the folder. The folder keeps the first key that it
 * saw, made where none was given, and never replaces it, since what it sealed could not be opened again. Throws
 * `ServicesError` where the given one is not a key.
 */
export function encryptionKeyOf(dir: string, given: string | undefined): string {
  if (given !== undefined) requireKey(given);
  const path = join(dir, 'key.json');
  const kept = keyIn(path);
  if (kept !== undefined) return given ?? kept;
  // Folders from before this file had theirs in env.json, which is about to be written anew.
  const first = keyIn(join(dir, 'env.json')) ?? given ?? randomBytes(32).toString('hex');
  writePrivateJson(path, { ENCRYPTION_KEY: first });
  return given ?? first;
}

function requireKey(text: string): void {
  try {
    settings.encryptionKey.parse(text);
  } catch (error) {
    throw new ServicesError(`ENCRYPTION_KEY must be ${messageOf(error)}.`);
  }
}

/** Undefined: there is no such file, or what it holds is not a key, so that nothing can have been sealed with it. */
function keyIn(path: string): string | undefined {
  const value = readJson(path);
  const key = typeof value === 'object' && value !== null && 'ENCRYPTION_KEY' in value ? value.ENCRYPTION_KEY : '';
  try {
    requireKey(String(key));
    return String(key);
  } catch {
    return undefined;
  }
}
