import { isModelFile } from '../../sources/source.js';
import { readKey } from '../../../decisions/keys.js';
import type { Decision } from '../../../decisions/routes/decisions.schema.js';
import { operations } from '#openapi/operations.gen.js';
import type { Service } from '../service.js';
import { revisionOf } from '../import.js';
import type { Hashes } from './state.js';

/** A workspace as it was at a revision, or later. */
export interface Remote {
  readonly revision: number;
  /** The decisions that a folder can hold, by key. */
  readonly decisions: ReadonlyMap<string, Decision>;
  readonly hashes: Hashes;
  /** The keys of the others. */
  readonly leftOut: readonly string[];
}

export async function readRemote(service: Service): Promise<Remote> {
  // The revision first: what is written while the list is read then shows as a revision that has moved.
  const revision = await revisionOf(service);
  const all = await service.all(operations.listDecisions);
  const keys = heldByFolder(all.map(({ key }) => key));
  const held = all.filter(({ key }) => keys.has(key));
  return {
    revision,
    decisions: new Map(held.map((decision) => [decision.key, decision])),
    hashes: new Map(held.map(({ key, contentHash }) => [key, contentHash])),
    leftOut: all.filter(({ key }) => !keys.has(key)).map(({ key }) => key),
  };
}

/** Of a part of a path, in bytes, on the file systems that are used most. */
const longestName = 255;

/** Devices on Windows, whatever follows the first dot. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³]) *(\.|$)/i;

/**
 * A part of a path that some system or program takes for something else than a model: hidden files (`.git`, `.vscode`),
 * packages, devices, streams of a file (`x:y`).
 */
const isSpecial = (part: string): boolean =>
  part.startsWith('.') || part === 'node_modules' || part.includes(':') || device.test(part);

/**
 * The keys that can be files below a folder, all at once and on any system: they end in `.json` or `.dmn`, stay inside the
 * folder, have no part that is special or too long a name, none of them needs a folder where another one is a file, and none
 * differs from an earlier one by case alone. The service has no other keys than paths; that is looked at again, as what is
 * written to a disk should not hang on the server.
 */
export function heldByFolder(keys: readonly string[]): ReadonlySet<string> {
  const files = new Set(
    keys.filter((key) => {
      const isName = (part: string): boolean => !isSpecial(part) && Buffer.byteLength(part) <= longestName;
      return isModelFile(key) && !('fault' in readKey(key)) && key.split('/').every(isName);
    }),
  );
  const isBelowFile = (key: string): boolean => pathsTo(key).some((path) => path !== key && files.has(path));
  const spellings = new Map<string, string>();
  return new Set(
    [...files].filter((key) => {
      if (isBelowFile(key)) return false;
      const paths = pathsTo(key).map((path) => [path.normalize('NFC').toLowerCase(), path] as const);
      if (paths.some(([folded, path]) => (spellings.get(folded) ?? path) !== path)) return false;
      for (const [folded, path] of paths) spellings.set(folded, path);
      return true;
    }),
  );
}

/** The folders above a key and itself: `a`, `a/b`, `a/b/c.json`. */
const pathsTo = (key: string): string[] =>
  key.split('/').map((_part, index, parts) => parts.slice(0, index + 1).join('/'));

export interface FolderChange {
  readonly key: string;
  /** Of the folder, seen from the workspace. */
  readonly change: 'added' | 'changed' | 'removed';
}

/** What the folder has otherwise than the workspace, by key. */
export function compare(local: Hashes, remote: Hashes): FolderChange[] {
  const keys = [...new Set([...local.keys(), ...remote.keys()])].sort();
  return keys
    .filter((key) => local.get(key) !== remote.get(key))
    .map((key) => ({ key, change: !remote.has(key) ? 'added' : !local.has(key) ? 'removed' : 'changed' }));
}

/** Keys that are different there from what was last seen there, and also different from what is here. */
export function changedByOthers(local: Hashes, remote: Hashes, seen: Hashes): string[] {
  const keys = new Set([...remote.keys(), ...seen.keys()]);
  return [...keys].filter((key) => remote.get(key) !== seen.get(key) && remote.get(key) !== local.get(key)).sort();
}
