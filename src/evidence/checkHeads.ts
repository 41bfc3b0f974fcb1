import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '../storage/database.js';
import { BadCheckpoint, isSignedBy, parseCheckpoint } from './checkpoint.js';
import type { EvidenceKey } from './keys.store.js';
import type { Head } from './paths.js';
import { pageOfHeads, type Tree } from './trees.store.js';
import { witnessFolder } from './witness.js';

/** A head that the tree must agree with, and who has it. */
export interface HeldHead {
  readonly size: number;
  readonly checkpoint: string;
  readonly holder: 'database' | 'witness';
}

const pageSize = 500;

/** The heads of a tree, in the order of their sizes: those that the database kept, its newest, and those of a witness's folder. */
export async function heldHeads(connection: Connection, tree: Tree, folder: string | null): Promise<HeldHead[]> {
  const heads: HeldHead[] = [{ size: tree.size, checkpoint: tree.checkpoint, holder: 'database' }];
  for (let from = 0; ;) {
    const page = await pageOfHeads(connection, tree.workspaceId, { from, size: pageSize });
    heads.push(
      ...page.filter(({ size }) => size < tree.size).map((head) => ({ ...head, holder: 'database' as const })),
    );
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) break;
    from = last.size + 1;
  }
  if (folder !== null) {
    const own = witnessFolder(folder, tree.workspaceId);
    for (const name of await readdir(own).catch(() => [])) {
      if (!/^\d{16}\.txt$/.test(name)) continue;
      heads.push({ size: parseInt(name, 10), checkpoint: await readFile(join(own, name), 'utf8'), holder: 'witness' });
    }
  }
  return heads.sort((one, other) => one.size - other.size);
}

/** Tells of one head after the other what is wrong with it. */
export function createHeadJudge({ origin }: Tree, keys: readonly EvidenceKey[]) {
  let newest = 0;
  /** What is wrong with the head of a tree that has this root at its size; undefined where nothing is. */
  return ({ checkpoint, holder }: HeldHead, { size, root }: Head): string | undefined => {
    const whose = `the head of ${size} leaves that the ${holder} has`;
    try {
      const head = parseCheckpoint(checkpoint);
      const key = keys.find(({ publicKey }) => isSignedBy(head, publicKey));
      if (key === undefined || head.origin !== origin) return `${whose} is not signed by a key of this service`;
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
