import { keysMeant } from './keys.js';

/** A decision as others see it: what it is called and what its working copy holds. */
export interface DirectoryEntry {
  readonly id: string;
  readonly key: string;
  /** SHA-256 (hex) of the working copy. */
  readonly contentHash: string;
  /** The working copy was stored with faults. */
  readonly faulty: boolean;
  /** 0 before the first version. */
  readonly latestVersion: number;
}

/** All decisions of one place, a workspace or a set of files. Immutable. */
export interface Directory {
  readonly entries: readonly DirectoryEntry[];
  byKey(key: string): DirectoryEntry | undefined;
  /** By key or UUID, as people name a decision. */
  find(keyOrId: string): DirectoryEntry | undefined;
  /** What a decision node's `content.key` names, in the decision `usedBy` (a key). */
  resolve(name: string, usedBy: string): DirectoryEntry | undefined;
  /** The same directory with these in place of those with their keys. */
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
    with: (changed) => createDirectory([...keys.values(), ...changed]),
  };
}
