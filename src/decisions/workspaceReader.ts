import { Recent } from '../../workers/recent/index.js';
import { readNames } from './contents.store.js';
import type { Connection } from '../storage/database.js';
import { readDecisions } from './decisions.store.js';
import { DecisionIndex } from './decisionIndex.js';
import type { NamesOf } from './writing/manifest.js';

/** Contents whose names are remembered, and the names' UTF-16 units. */
const bounds = { maxCount: 50_000, maxWeight: 16 * 1024 * 1024 };

/** Reads the working copies of workspaces. */
export interface WorkspaceReader {
  /** The workspace's decisions, as they are when they are first asked for. */
  readonly decisionIndexOf: (workspaceId: string) => DecisionIndex;
  readonly namesOf: NamesOf;
}

export const createWorkspaceReader = (database: Connection): WorkspaceReader => ({
  decisionIndexOf: (workspaceId) => decisionIndexOf(database, workspaceId),
  namesOf: createNames(database),
});

export const decisionIndexOf = (database: Connection, workspaceId: string): DecisionIndex =>
  DecisionIndex.ofWorkspace((wanted) => readDecisions(database, workspaceId, wanted));

/** Contents are immutable, so their names are cached by hash. */
function createNames(database: Connection): NamesOf {
  const remembered = new Recent<readonly string[]>(bounds);
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
      remembered.set(
        hash,
        found,
        found.reduce((sum, { length }) => sum + length, 1),
      );
      names.set(hash, found);
    }
    return names;
  };
}
