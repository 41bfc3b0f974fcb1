import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { readNames } from './contents.store.js';
import type { Directory } from './directory.js';
import type { NamesOf } from './writing/manifest.js';
import { createSingleFlight } from './programs/singleFlight.js';
import { readDirectory } from './writing/write.js';

/** A workspace's decisions as they were at a revision, or later. */
export interface DatedDirectory {
  readonly revision: number;
  readonly directory: Directory;
}

/** Most decisions in the cached directories of all workspaces together. */
const maxEntries = 200_000;
const maxNames = 50_000;

/** Reads the working copies of workspaces, through caches. */
export interface WorkspaceReader {
  /** The workspace's decisions, at least as new as the revision. */
  readonly directoryOf: (workspaceId: string, revision: number) => Promise<DatedDirectory>;
  readonly namesOf: NamesOf;
}

export const createWorkspaceReader = (database: Knex): WorkspaceReader => ({
  directoryOf: createDirectories(database),
  namesOf: createNames(database),
});

/** Caches directories by the revision of their workspace. */
function createDirectories(database: Knex): WorkspaceReader['directoryOf'] {
  const directories = new LRUCache<string, DatedDirectory>({
    maxSize: maxEntries,
    sizeCalculation: ({ directory }) => directory.entries.length + 1,
  });
  const share = createSingleFlight();
  return async (workspaceId, revision) => {
    const found = directories.get(workspaceId);
    if (found !== undefined && found.revision >= revision) return found;
    return share(`${workspaceId}@${revision}`, async () => {
      const read = await readDirectory(database, workspaceId);
      directories.set(workspaceId, read);
      return read;
    });
  };
}

/** Contents are immutable, so their names are cached by hash. */
function createNames(database: Knex): NamesOf {
  const remembered = new LRUCache<string, readonly string[]>({ max: maxNames });
  return async (hashes) => {
    const names = new Map<string, readonly string[]>();
    for (const hash of hashes) {
      const found = remembered.get(hash);
      if (found !== undefined) names.set(hash, found);
    }
    const read = await readNames(
      database,
      hashes.filter((hash) => !names.has(hash)),
    );
    for (const [hash, found] of read) {
      remembered.set(hash, found);
      names.set(hash, found);
    }
    return names;
  };
}
