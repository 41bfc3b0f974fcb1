import { nodeHash } from './tree.js';

/** Gives the hash of a complete subtree. Level 0 are the leaves. */
export type ReadNode = (level: number, index: number) => Promise<Buffer>;

/** Leaves of a tree: from `low` on, before `high`. */
interface Leaves {
  readonly low: number;
  readonly high: number;
}

/** The path of a leaf to the root of the tree with the first `size` leaves (RFC 6962, section 2.1.1), the lowest first. */
export function inclusionPath(read: ReadNode, index: number, size: number): Promise<Buffer[]> {
  const path = async ({ low, high }: Leaves): Promise<Buffer[]> => {
    if (high - low === 1) return [];
    const middle = low + splitOf(high - low);
    return index < middle
      ? [...(await path({ low, high: middle })), await rootOf(read, { low: middle, high })]
      : [...(await path({ low: middle, high })), await rootOf(read, { low, high: middle })];
  };
  return path({ low: 0, high: size });
}

/** What shows that the tree of `size` leaves began as that of `from` leaves (RFC 6962, section 2.1.2): nothing for none. */
export async function consistencyPath(read: ReadNode, from: number, size: number): Promise<Buffer[]> {
  const path = async ({ low, high }: Leaves, isWhole: boolean): Promise<Buffer[]> => {
    if (from === high) return isWhole ? [] : [await rootOf(read, { low, high })];
    const middle = low + splitOf(high - low);
    return from <= middle
      ? [...(await path({ low, high: middle }, isWhole)), await rootOf(read, { low: middle, high })]
      : [...(await path({ low: middle, high }, false)), await rootOf(read, { low, high: middle })];
  };
  return from === 0 ? [] : path({ low: 0, high: size }, true);
}

/** The root of some leaves, which begin where a subtree of their number does. */
async function rootOf(read: ReadNode, { low, high }: Leaves): Promise<Buffer> {
  const count = high - low;
  const split = splitOf(count);
  // A power of two is a complete subtree.
  if (count === 1 || split * 2 === count) return read(Math.log2(count), low / count);
  const left = await rootOf(read, { low, high: low + split });
  return nodeHash(left, await rootOf(read, { low: low + split, high }));
}

/** The largest power of two below a number that is at least 2. */
function splitOf(count: number): number {
  let split = 1;
  while (split * 2 < count) split *= 2;
  return split;
}

/**
 * Leads a hash up a path to the roots of two trees: that of `before` takes the siblings on its left alone, that of `after` all of them.
 * Undefined where the path is too long or too short for its place, the last one of the level being `last`.
 */
function ledUp(
  hash: Buffer,
  [position, last]: [position: number, last: number],
  path: readonly Buffer[],
): { readonly before: Buffer; readonly after: Buffer } | undefined {
  let [before, after] = [hash, hash];
  for (const sibling of path) {
    if (last === 0) return undefined;
    if (position % 2 === 1 || position === last) {
      before = nodeHash(sibling, before);
      after = nodeHash(sibling, after);
      while (position % 2 === 0 && position > 0) [position, last] = [position / 2, Math.floor(last / 2)];
    } else {
      after = nodeHash(after, sibling);
    }
    [position, last] = [Math.floor(position / 2), Math.floor(last / 2)];
  }
  return last === 0 ? { before, after } : undefined;
}

/** The root that a leaf and its path lead to (RFC 9162, section 2.1.3.2); undefined where the path cannot be that leaf's. */
export const rootOfPath = (leaf: Buffer, index: number, size: number, path: readonly Buffer[]): Buffer | undefined =>
  index >= size ? undefined : ledUp(leaf, [index, size - 1], path)?.after;

/** A tree's size and root. */
export interface Head {
  readonly size: number;
  readonly root: Buffer;
}

/** Whether the path shows that the later tree began as the earlier one (RFC 9162, section 2.1.4.2). */
export function isConsistent(earlier: Head, later: Head, path: readonly Buffer[]): boolean {
  if (earlier.size > later.size) return false;
  if (earlier.size === later.size) return path.length === 0 && earlier.root.equals(later.root);
  if (earlier.size === 0) return path.length === 0;
  // The root of a complete tree is not repeated in its path.
  const whole = Number.isInteger(Math.log2(earlier.size));
  const [first, ...others] = whole ? [earlier.root, ...path] : path;
  if (first === undefined) return false;
  let [position, last] = [earlier.size - 1, later.size - 1];
  while (position % 2 === 1) [position, last] = [(position - 1) / 2, Math.floor(last / 2)];
  const roots = ledUp(first, [position, last], others);
  return roots !== undefined && roots.before.equals(earlier.root) && roots.after.equals(later.root);
}
