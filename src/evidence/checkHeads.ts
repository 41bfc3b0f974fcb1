import type { Connection } from '../storage/database.js';
import { BadCheckpoint, isSignedBy, parseCheckpoint } from './checkpoint.js';
import type { EvidenceKey } from './keys.store.js';
import type { Head } from './paths.js';
import { pageOfHeads, type Tree } from './trees.store.js';
import { generationIn, originAfter } from './origin.js';
import type { Restart } from './restarts.js';
import { readWitnessed, witnessedSizes, witnessFolder } from './witness.js';

/** A head that the tree must agree with, and who has it. */
export interface HeldHead {
  readonly size: number;
  readonly checkpoint: string;
  readonly holder: 'database' | 'witness';
  /** Of the tree that it was sent as a head of; the database has all of them together. */
  readonly generation: number;
}

const pageSize = 500;

/** The number of the tree that had so many leaves, after some restarts. */
const generationOf = (restarts: readonly Restart[], size: number): number =>
  restarts.reduce((found, { generation, leaves }) => (size > leaves ? generation : found), 1);

/** The heads of a tree, in the order of their sizes: those that the database kept, its newest, and those of a witness's folder. */
export async function heldHeads(
  connection: Connection,
  {
    tree,
    restarts,
    folder,
  }: { readonly tree: Tree; readonly restarts: readonly Restart[]; readonly folder: string | null },
): Promise<HeldHead[]> {
  const kept = { holder: 'database' as const };
  const { size, checkpoint, generation } = tree;
  const heads: HeldHead[] = [{ ...kept, size, checkpoint, generation }];
  for (let from = 0; ;) {
    const page = await pageOfHeads(connection, tree.workspaceId, { from, size: pageSize });
    heads.push(
      ...page
        .filter((head) => head.size < size)
        .map((head) => ({ ...head, ...kept, generation: generationOf(restarts, head.size) })),
    );
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) break;
    from = last.size + 1;
  }
  for (let each = 1; folder !== null && each <= generation; each++) {
    const own = witnessFolder(folder, { workspaceId: tree.workspaceId, generation: each });
    for (const witnessed of await witnessedSizes(own))
      heads.push({
        ...{ size: witnessed, checkpoint: await readWitnessed(own, witnessed) },
        ...{ holder: 'witness', generation: each },
      });
  }
  return heads.sort((one, other) => one.size - other.size);
}

/** Whether a head is of leaves that a restore has lost, as the restart after it tells: what came after them is another tree. */
export function isLost({ generation, size }: HeldHead, restarts: readonly Restart[]): boolean {
  const next = restarts.find((restart) => restart.generation > generation);
  if (next === undefined || size <= next.leaves || next.head === null) return false;
  const told = parseCheckpoint(next.head);
  const named = generationIn(told.origin) ?? 0;
  // Of an earlier tree than the one whose head is named, a former restart told, which was lost too.
  return named > generation || (named === generation && size <= told.size);
}

/** Tells of one head after the other what is wrong with it. */
export function createHeadJudge(tree: Tree, keys: readonly EvidenceKey[]) {
  let newest = 0;
  /** What is wrong with the head of a tree that has this root at its size; undefined where nothing is. */
  return ({ checkpoint, holder, generation }: HeldHead, { size, root }: Head): string | undefined => {
    const whose = `the head of ${size} leaves that the ${holder} has`;
    try {
      const head = parseCheckpoint(checkpoint);
      const key = keys.find(({ publicKey }) => isSignedBy(head, publicKey));
      if (key === undefined || head.origin !== originAfter(tree.origin, generation))
        return `${whose} is not signed by a key of this service`;
      if (key.generation < newest)
        return `${whose} is signed by a former key, although a smaller one is signed by a later key`;
      newest = key.generation;
      return head.size === size && head.root.equals(root) ? undefined : `${whose} is not that of the leaves`;
    } catch (error) {
      if (error instanceof BadCheckpoint) return `${whose} is none: ${error.message}`;
      throw error;
    }
  };
}
