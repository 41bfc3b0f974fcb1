import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { settings } from '../src/config/config.js';
import { messageOf, ServicesError } from './services/errors.js';
import { readJson, writePrivateJson } from '../src/cli/privateJson.js';

/** The keys of a database, as texts: the one that seals, and those that still open. */
interface EncryptionKeys {
  readonly present: string;
  readonly previous: readonly string[];
}

/**
 * The keys to run with. The folder keeps the key of its own database, made where none was given, and never forgets one:
 * another key that is given for that database takes its place, and the one before still opens what it sealed. A key that
 * is given for a database of the user's own is not kept. Throws `ServicesError` where a given one is not a key.
 */
export function encryptionKeysOf(
  dir: string,
  given: { readonly present: string | undefined; readonly previous: string | undefined; readonly ofFolder: boolean },
): EncryptionKeys {
  requireKeys(given);
  const path = join(dir, 'key.json');
  const known = keysIn(path) ?? { present: given.present ?? randomBytes(32).toString('hex'), previous: [] };
  const changes = given.ofFolder && given.present !== undefined && given.present !== known.present;
  const kept = changes ? keysWith(given.present, [known.present, ...known.previous]) : known;
  const { present, previous } = kept;
  writePrivateJson(path, {
    ENCRYPTION_KEY: present,
    ...(previous.length === 0 ? {} : { ENCRYPTION_KEYS_PREVIOUS: previous.join(',') }),
  });
  const named = textsOf(given.previous);
  return given.ofFolder ? keysWith(present, [...named, ...previous]) : keysWith(given.present ?? present, named);
}

const textsOf = (list: string | undefined): readonly string[] =>
  list === undefined ? [] : list.split(',').map((each) => each.trim());

const keysWith = (present: string, previous: readonly string[]): EncryptionKeys => ({
  present,
  previous: [...new Set(previous)].filter((each) => each !== present),
});

function requireKeys({ present, previous }: { present: string | undefined; previous: string | undefined }): void {
  try {
    if (present !== undefined) settings.encryptionKey.parse(present);
  } catch (error) {
    throw new ServicesError(`ENCRYPTION_KEY must be ${messageOf(error)}.`);
  }
  try {
    if (previous !== undefined) settings.encryptionKeysPrevious.parse(previous);
  } catch (error) {
    throw new ServicesError(`ENCRYPTION_KEYS_PREVIOUS must be ${messageOf(error)}.`);
  }
}

/** Undefined: there is no such file, or what it holds is not a key, so that nothing can have been sealed with it. */
function keysIn(path: string): EncryptionKeys | undefined {
  const value = readJson(path);
  const textOf = (name: string): string | undefined => {
    const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
    return typeof text === 'string' ? text : undefined;
  };
  const present = textOf('ENCRYPTION_KEY');
  if (present === undefined) return undefined;
  const previous = textOf('ENCRYPTION_KEYS_PREVIOUS');
  try {
    requireKeys({ present, previous });
    return { present, previous: textsOf(previous) };
  } catch {
    return undefined;
  }
}
