import type { Connection } from '../../storage/database.js';
import { checkTree, type CheckDependencies, type CheckObserver } from '../check.js';
import type { Tree } from '../trees.store.js';

/** What a whole check needs: records against the tree, and what other rooms hold against the audit trail. */
export interface WholeCheck extends CheckDependencies {
  /** Change requests whose reviews are not those that the audit trail tells of. */
  readonly requestsWithOtherReviews: (connection: Connection, workspaceId: string) => AsyncIterable<string>;
}

/** Walks all of a workspace that there is evidence of. */
export async function checkWorkspace(parts: WholeCheck, tree: Tree, observer: CheckObserver): Promise<void> {
  const { workspaceId } = tree;
  await checkTree(parts, tree, observer);
  const detail = 'the reviews of the change request are not those that the audit trail tells of';
  for await (const id of parts.requestsWithOtherReviews(parts.database, workspaceId))
    observer.found({ workspaceId, kind: 'altered', id, detail });
}
