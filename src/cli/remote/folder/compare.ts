import { readKey } from '../../../decisions/keys.js';
import type { Decision } from '../../../decisions/routes/decisions.schema.js';
import { operations } from '../operations.js';
import type { Service } from '../service.js';
import { revisionOf } from '../import.js';
import { stateName, type Hashes } from './state.js';

/** A workspace as it was at a revision, or later. */
export interface Remote {
  readonly revision: number;
  /** Those that a folder can hold, by key. */
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

/**
 * Those of the keys that can be files below a folder, all at once: they end in `.json`, stay inside the folder, have no
 * part that is too long a name, and none of them needs a folder where another one is a file. The service has no other
 * keys than paths; that is looked at again, as what is written to a disk should not hang on the server.
 */
export function heldByFolder(keys: readonly string[]): ReadonlySet<string> {
  const files = new Set(
    keys.filter((key) => {
      const parts = key.split('/');
      return (
        key.endsWith('.json') &&
        !('fault' in readKey(key)) &&
        parts[0] !== stateName &&
        parts.every((part) => Buffer.byteLength(part) <= longestName)
      );
    }),
  );
  const isBelowFile = (key: string): boolean =>
    key.split('/').some((_part, index, parts) => index > 0 && files.has(parts.slice(0, index).join('/')));
  return new Set([...files].filter((key) => !isBelowFile(key)));
}

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
