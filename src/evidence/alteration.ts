import type { WholeExecution } from '../runs/history.store.js';
import type { Connection } from '../storage/database.js';
import { idTime, idToBytes } from '../storage/ids.js';
import { textBytes } from '../admission/byteBudget.js';
import type { Records, TextAccount } from './records.js';
import { leafHash } from './tree.js';
import { findLeaf, isErased, leavesFrom, type Leaf } from './leaves.store.js';
import { settledMs } from './subjects.store.js';
import { findTree } from './trees.store.js';

/**
 * A record counts as added afterwards where a leaf before its own has an id that is later by more than this, in milliseconds. A record
 * that was only committed late is not as late as that.
 */
export const addedMs = 10 * 60_000;
/** How many leaves before a leaf are compared with it. */
const neighbours = 256;

interface Dependencies {
  readonly database: Connection;
  readonly records: Pick<Records, 'ofExecution'>;
}

/** Tells whether the record of an execution is not the one of which the tree of its workspace has the leaf. */
type IsAltered = (execution: WholeExecution, account: TextAccount) => Promise<boolean>;

export const createIsAltered =
  ({ database, records }: Dependencies): IsAltered =>
  async (execution, account) => {
    const { workspaceId, id } = execution;
    const leaf = await findLeaf(database, workspaceId, id);
    if (leaf === undefined) return lacksLeaf(database, workspaceId, id);
    if (isErased(leaf)) return false;
    const text = await records.ofExecution(execution, account);
    const isSame = isRecordOf(leaf, text);
    account.shrink(textBytes(text));
    if (!isSame) return true;
    return wasAdded(database, workspaceId, leaf);
  };

/** Whether the text is what the leaf was made of. */
export const isRecordOf = ({ salt, hash }: Pick<Leaf, 'salt' | 'hash'>, record: string): boolean =>
  salt !== null && leafHash(salt, record).equals(hash);

async function lacksLeaf(database: Connection, workspaceId: string, id: string): Promise<boolean> {
  const tree = await findTree(database, workspaceId);
  if (tree === undefined || idTime(id).getTime() > Date.now() - settledMs) return false;
  return Buffer.compare(idToBytes(id), tree.cursors.execution) <= 0;
}

/** Whether a record was inserted later than its id says: then its leaf stands after leaves of much later ids. */
async function wasAdded(
  database: Connection,
  workspaceId: string,
  { position, kind, subjectId }: Leaf,
): Promise<boolean> {
  const first = Math.max(0, position - neighbours);
  const before = await leavesFrom(database, workspaceId, { position: first, size: position - first + 1 });
  const limit = idTime(subjectId).getTime() + addedMs;
  return before.some(
    (leaf) => leaf.kind === kind && leaf.position < position && idTime(leaf.subjectId).getTime() > limit,
  );
}
