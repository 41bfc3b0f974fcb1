import { newId } from '../storage/ids.js';
import { keysMeant } from './keys.js';

/** A decision's key, and what its working copy holds. */
export interface DirectoryEntry {
  readonly id: string;
  readonly key: string;
  /** SHA-256 (hex) of the working copy. */
  readonly contentHash: string;
  /** Errors of the working copy: with any, it can't be saved as a version. */
  readonly faults: number;
  readonly warnings: number;
  /** 0 before the first version. */
  readonly latestVersion: number;
  /** Counts the changes of all the above, from 1. */
  readonly revision: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** A decision that is not stored yet, without faults. */
export function newEntry(key: string, contentHash: string, at = new Date()): DirectoryEntry {
  const counts = { faults: 0, warnings: 0, latestVersion: 0, revision: 1 };
  return { id: newId(), key, contentHash, ...counts, createdAt: at, updatedAt: at };
}

/** The entry after a change at that time. */
export const revised = (entry: DirectoryEntry, at: Date): DirectoryEntry => ({
  ...entry,
  revision: entry.revision + 1,
  updatedAt: at,
});

/** All decisions of one place, a workspace or a set of files. Immutable. */
export interface Directory {
  readonly entries: readonly DirectoryEntry[];
  byKey(key: string): DirectoryEntry | undefined;
  /** By key or UUID, as people name a decision. */
  find(keyOrId: string): DirectoryEntry | undefined;
  /** What a decision node's `content.key` names, in the decision `usedBy` (a key). */
  resolve(name: string, usedBy: string): DirectoryEntry | undefined;
  /** The directory with these entries in place of those with the same ids or keys. */
  with(entries: readonly DirectoryEntry[]): Directory;
}

export function createDirectory(entries: Iterable<DirectoryEntry>): Directory {
  const keys = new Map<string, DirectoryEntry>();
  for (const entry of entries) keys.set(entry.key, entry);
  const ids = new Map([...keys.values()].map((entry) => [entry.id, entry]));
  const byId = (id: string): DirectoryEntry | undefined => ids.get(id.toLowerCase());
  return {
    entries: [...keys.values()],
    byKey: (key) => keys.get(key),
    find: (keyOrId) => keys.get(keyOrId.normalize('NFC')) ?? byId(keyOrId),
    resolve(name, usedBy) {
      const key = keysMeant(name, usedBy).find((meant) => keys.has(meant));
      return key === undefined ? byId(name) : keys.get(key);
    },
    with(changed) {
      const replaced = new Set(changed.map(({ id }) => id));
      return createDirectory([...[...keys.values()].filter(({ id }) => !replaced.has(id)), ...changed]);
    },
  };
}
