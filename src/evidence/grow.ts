import { randomBytes } from 'node:crypto';
import type { Knex } from 'knex';
import { createPause } from '../admission/pause.js';
import { inTransaction } from '../storage/database.js';
import { mysqlErrno, mysqlErrors } from '../storage/mysqlErrors.js';
import { signCheckpoint } from './checkpoint.js';
import { environmentMac } from './environmentMac.js';
import { erasedWithoutLeaf } from './erased.js';
import type { KeptHeads } from './keptHeads.js';
import type { EvidenceKeys, HeadKey } from './keys.js';
import type { SubjectRecord } from './records.js';
import type { Kind } from './subjects.store.js';
import { Frontier, hashBytes, leafHash, type TreeNode } from './tree.js';
import { leavesAtOnce, type Leaf } from './leaves.store.js';
import { keepHead, lockTree, writeGrowth, type Tree } from './trees.store.js';

/** What a tree grows by. */
interface Appended {
  readonly kind: Kind;
  readonly workspaceId: string;
  readonly records: AsyncIterable<SubjectRecord>;
}

/** What of the records has its leaf now. */
export interface Grown {
  /** The last one that was appended; undefined where there was none. */
  readonly last: string | undefined;
  /** Whether there was no further one. */
  readonly isWhole: boolean;
}

/** UTF-16 units of texts that are hashed for one head: some 50 ms of the main thread. */
const pieceUnits = 16 * 1024 * 1024;

/** What growing a tree takes. */
export interface GrowthDependencies {
  readonly database: Knex;
  readonly keys: EvidenceKeys;
  /** The name of a workspace's tree, where it has none yet. */
  readonly originOf: (workspaceId: string) => string;
  /** The heads outside of the database, which the tree must not be behind. */
  readonly kept: Pick<KeptHeads, 'requireNone'>;
}

/**
 * Appends records to the tree of their workspace and signs its head, in one transaction: what ends a process at any moment
 * leaves a whole tree. It appends the first of them, those of one piece. Undefined where another process was first with any: then
 * nothing is written. Rejects with `TreeRefused` where there must have been a tree before, or a larger one.
 */
export async function growTree(
  { database, keys, originOf, kept }: GrowthDependencies,
  appended: Appended,
): Promise<Grown | undefined> {
  const { kind, workspaceId } = appended;
  const key = await keys.signing();
  const { hashed, isWhole, empty } = await hashedOf(appended, key);
  const last = hashed.at(-1)?.subjectId;
  if (last === undefined) return { last, isWhole };
  try {
    await inTransaction(database, async (transaction) => {
      const tree = await lockTree(transaction, workspaceId, originOf(workspaceId));
      await kept.requireNone(transaction, tree);
      // What was erased while the tree was refused had no leaf then. It has no salt, as if it had had one. After a restart an erasure may
      // have come while the record was hashed.
      const ids = tree.generation > 1 ? hashed.map(({ subjectId }) => subjectId) : empty;
      const erased = new Set(await erasedWithoutLeaf(transaction, workspaceId, kind === 'execution' ? ids : []));
      const leaves = hashed.map((leaf) => (erased.has(leaf.subjectId) ? { ...leaf, salt: null } : leaf));
      await append(transaction, tree, { hashed: leaves, key });
    });
    return { last, isWhole };
  } catch (error) {
    if (mysqlErrno(error) === mysqlErrors.duplicateKey) return undefined;
    throw error;
  }
}

/** A record as a leaf without its place. */
type Hashed = Omit<Leaf, 'position'>;

/** Salts, asked of the system for many leaves at once: a call takes longer than to hash a record. */
function createSalts(): () => Buffer {
  let rest = Buffer.alloc(0);
  return () => {
    if (rest.length === 0) rest = randomBytes(hashBytes * leavesAtOnce);
    const salt = rest.subarray(0, hashBytes);
    rest = rest.subarray(hashBytes);
    return salt;
  };
}

/** The records of one piece with their hashes, each by a salt of its own, and those that may be erased. One text is hashed before the next is made. */
export async function hashedOf(
  { kind, workspaceId, records }: Appended,
  { privateKey }: HeadKey,
): Promise<{ readonly hashed: readonly Hashed[]; readonly isWhole: boolean; readonly empty: readonly string[] }> {
  const hashed: Hashed[] = [];
  const empty: string[] = [];
  const [pause, nextSalt] = [createPause(), createSalts()];
  let units = 0;
  for await (const { id: subjectId, text, environmentId, isEmpty } of records) {
    const salt = nextSalt();
    const mac =
      environmentId === undefined ? null : environmentMac(privateKey, { workspaceId, subjectId, environmentId });
    hashed.push({ kind, subjectId, salt, hash: leafHash(salt, text), environmentMac: mac });
    if (isEmpty === true) empty.push(subjectId);
    units += text.length;
    if (units >= pieceUnits) return { hashed, isWhole: false, empty };
    await pause();
  }
  return { hashed, isWhole: true, empty };
}

/** Appends leaves to a tree that is locked, and signs its head. */
export async function append(
  transaction: Knex.Transaction,
  tree: Pick<Tree, 'workspaceId' | 'origin' | 'size' | 'frontier'>,
  { hashed, key }: { readonly hashed: readonly Hashed[]; readonly key: HeadKey },
): Promise<void> {
  const { workspaceId } = tree;
  const frontier = Frontier.fromText(tree.size, tree.frontier);
  const leaves: Leaf[] = [];
  const nodes: TreeNode[] = [];
  for (const leaf of hashed) {
    leaves.push({ ...leaf, position: frontier.size });
    nodes.push(...frontier.append(leaf.hash));
  }
  const head = { size: frontier.size, root: frontier.root() };
  const checkpoint = signCheckpoint(tree.origin, head, key);
  await writeGrowth(transaction, workspaceId, { frontier, leaves, nodes, checkpoint });
  await keepHead(transaction, workspaceId, { size: frontier.size, checkpoint });
}
