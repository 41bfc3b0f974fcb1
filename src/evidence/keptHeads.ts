import type { Connection } from '../storage/database.js';
import { parseCheckpoint, type Checkpoint } from './checkpoint.js';
import { createReadNode } from './nodes.js';
import { consistencyPath, isConsistent } from './paths.js';
import { TreeRefused, type Tree } from './trees.store.js';
import { newestSize, readWitnessed, witnessFolder } from './witness.js';

/** A head that is kept outside of the database. */
interface KeptHead {
  readonly generation: number;
  /** The signed note. */
  readonly checkpoint: string;
}

/** Compares the tree of a workspace with the newest of its heads that is kept outside of the database. */
export interface KeptHeads {
  /** The head, where the tree did not grow from it: then the database was restored or altered. Undefined where it did, or none is kept. */
  ahead(connection: Connection, workspaceId: string, tree: Tree | undefined): Promise<KeptHead | undefined>;
  /** Rejects with `TreeRefused` where there is such a head. */
  requireNone(connection: Connection, tree: Tree): Promise<void>;
}

/** @param folder of EVIDENCE_WITNESS or EVIDENCE_HEADS; null where there is none, and nothing is known */
export function createKeptHeads(folder: string | null): KeptHeads {
  async function ahead(
    connection: Connection,
    workspaceId: string,
    tree: Tree | undefined,
  ): Promise<KeptHead | undefined> {
    if (folder === null) return undefined;
    const kept = await newestKept(folder, workspaceId, tree?.generation ?? 1);
    if (kept === undefined) return undefined;
    if (tree === undefined || kept.generation > tree.generation) return kept;
    const head = parseCheckpoint(kept.checkpoint);
    return (await leadsFrom(connection, head, tree)) ? undefined : kept;
  }
  return {
    ahead,
    async requireNone(connection, tree) {
      const kept = await ahead(connection, tree.workspaceId, tree);
      if (kept === undefined) return;
      const { origin, size } = parseCheckpoint(kept.checkpoint);
      throw new TreeRefused(
        'evidence_behind',
        `evidence_behind: the tree of the workspace ${tree.workspaceId} has ${tree.size} leaves, which are not those of the ` +
          `head of ${size} of ${origin} that is kept outside of the database: the database was restored, or altered`,
      );
    },
  };
}

/** The newest head of the newest tree of which a head is kept. */
async function newestKept(folder: string, workspaceId: string, from: number): Promise<KeptHead | undefined> {
  let kept: KeptHead | undefined;
  for (let generation = from; generation <= (kept?.generation ?? from) + 1; generation++) {
    const own = witnessFolder(folder, { workspaceId, generation });
    const size = await newestSize(own);
    if (size !== undefined) kept = { generation, checkpoint: await readWitnessed(own, size) };
  }
  return kept;
}

async function leadsFrom(connection: Connection, head: Checkpoint, tree: Tree): Promise<boolean> {
  if (head.size > tree.size) return false;
  // This tree has sent the head to the witness itself.
  if (head.size === tree.witnessed) return true;
  const now = parseCheckpoint(tree.checkpoint);
  return isConsistent(
    head,
    now,
    await consistencyPath(createReadNode(connection, tree.workspaceId), head.size, now.size),
  );
}
