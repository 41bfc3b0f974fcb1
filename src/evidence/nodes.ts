import type { Connection } from '../storage/database.js';
import type { ReadNode } from './paths.js';
import { nodeHash } from './tree.js';
import { levelsApart, readGroup } from './trees.store.js';

/** A node of the tree is not stored, although the tree is larger. */
export class NodeMissing extends Error {
  override readonly name = 'NodeMissing';
}

/**
 * Reads the nodes of a tree for one proof: whole groups of 256, of which a proof needs two for each eight levels, each read
 * once. Of 2,000,000 leaves that is at most six reads by the primary key.
 */
export function createReadNode(connection: Connection, workspaceId: string): ReadNode {
  const groups = new Map<string, Promise<ReadonlyMap<number, Buffer>>>();
  const groupOf = (level: number, group: number): Promise<ReadonlyMap<number, Buffer>> => {
    const key = `${level}/${group}`;
    let found = groups.get(key);
    if (found === undefined) groups.set(key, (found = readGroup(connection, workspaceId, { level, group })));
    return found;
  };
  const read: ReadNode = async (level, index) => {
    if (level % levelsApart !== 0) {
      const left = await read(level - 1, 2 * index);
      return nodeHash(left, await read(level - 1, 2 * index + 1));
    }
    const size = 2 ** levelsApart;
    const hash = (await groupOf(level, Math.floor(index / size))).get(index % size);
    if (hash === undefined) throw new NodeMissing(`node ${index} of level ${level} is missing`);
    return hash;
  };
  return read;
}
