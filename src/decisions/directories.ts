import type { Knex } from 'knex';
import { LRUCache } from 'lru-cache';
import { subDecisionKeys } from '../../workers/engine/index.js';
import { readContents } from './contents.store.js';
import type { Directory } from './directory.js';
import type { NamesOf } from './manifest.js';
import { createSingleFlight } from './singleFlight.js';
import { readDirectory } from './write.js';

/** A workspace's decisions as they were at a revision, or later. */
export interface DatedDirectory {
  readonly revision: number;
  readonly directory: Directory;
}

/** Decisions of all workspaces together whose keys and hashes are kept. */
const maxEntries = 200_000;
const maxNames = 50_000;

/** Remembers directories by the revision of their workspace. */
export function createDirectories(database: Knex): (workspaceId: string, revision: number) => Promise<DatedDirectory> {
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

/** What contents name never changes, so it is remembered by hash and the texts are not read again. */
export function createNames(database: Knex): NamesOf {
  const remembered = new LRUCache<string, readonly string[]>({ max: maxNames });
  return async (hashes) => {
    const names = new Map<string, readonly string[]>();
    for (const hash of hashes) {
      const found = remembered.get(hash);
      if (found !== undefined) names.set(hash, found);
    }
    const texts = await readContents(
      database,
      hashes.filter((hash) => !names.has(hash)),
    );
    for (const [hash, text] of texts) {
      const found = subDecisionKeys(JSON.parse(text));
      remembered.set(hash, found);
      names.set(hash, found);
    }
    return names;
  };
}
