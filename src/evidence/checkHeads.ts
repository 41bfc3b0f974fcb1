import type { Connection } from '../storage/database.js';
import { BadCheckpoint, isSignedBy, parseCheckpoint } from './checkpoint.js';
import type { EvidenceKey } from './keys.store.js';
import type { Head } from './paths.js';
import { keptHeadsOf, type Tree } from './trees.store.js';
import { generationIn, originAfter } from './origin.js';
import type { Restart } from './readRestarts.js';
import { readWitnessed, witnessedSizes, witnessFolder } from './witness.js';

/** A head that the tree must agree with, and who has it. */
interface HeldHead {
  readonly size: number;
  readonly checkpoint: string;
  readonly holder: 'database' | 'witness';
  /** Of the tree that it was sent as a head of; the database has all of them together. */
  readonly generation: number;
}

/** The number of the tree that had so many leaves, after some restarts. */
const generationOf = (restarts: readonly Restart[], size: number): number =>
  restarts.reduce((found, { generation, leaves }) => (size > leaves ? generation : found), 1);

interface HeldBy {
  readonly tree: Tree;
  readonly restarts: readonly Restart[];
  readonly folder: string | null;
}

/**
 * The heads of a tree, in the order of their sizes: those that the database kept, its newest, and those of a witness's folder, without
 * what a restore has lost. There is one every few seconds, for years: of the database's one page is in memory at a time, and of a
 * folder's one head beside the sizes of all.
 */
export async function* heldHeads(connection: Connection, held: HeldBy): AsyncGenerator<HeldHead, void> {
  const { tree, restarts, folder } = held;
  const sources = [ofDatabase(connection, held)];
  for (let generation = 1; folder !== null && generation <= tree.generation; generation++)
    sources.push(ofWitness(witnessFolder(folder, { workspaceId: tree.workspaceId, generation }), generation));
  for await (const head of inOrder(sources)) if (!isLost(head, restarts)) yield head;
}

async function* ofDatabase(connection: Connection, { tree, restarts }: HeldBy): AsyncGenerator<HeldHead, void> {
  const { workspaceId, size, checkpoint, generation } = tree;
  const holder = 'database';
  for await (const head of keptHeadsOf(connection, workspaceId)) {
    if (head.size >= size) break;
    yield { ...head, holder, generation: generationOf(restarts, head.size) };
  }
  yield { holder, size, checkpoint, generation };
}

async function* ofWitness(own: string, generation: number): AsyncGenerator<HeldHead, void> {
  const sizes = await witnessedSizes(own);
  for (const size of sizes.sort((one, other) => one - other))
    yield { size, checkpoint: await readWitnessed(own, size), holder: 'witness', generation };
}

/** Merges what is in the order of sizes. */
async function* inOrder(sources: readonly AsyncGenerator<HeldHead, void>[]): AsyncGenerator<HeldHead, void> {
  const heads = await Promise.all(sources.map((source) => source.next()));
  for (;;) {
    const least = Math.min(...heads.map(({ value }) => value?.size ?? Infinity));
    const at = heads.findIndex(({ value }) => value?.size === least);
    const [head, source] = [heads[at]?.value, sources[at]];
    if (head === undefined || source === undefined) return;
    yield head;
    heads[at] = await source.next();
  }
}

/** Whether a head is of leaves that a restore has lost, as the restart after it tells: what came after them is another tree. */
function isLost({ generation, size }: HeldHead, restarts: readonly Restart[]): boolean {
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
