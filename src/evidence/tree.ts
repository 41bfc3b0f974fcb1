import { createHash } from 'node:crypto';

/** Bytes of every hash of a tree. */
export const hashBytes = 32;

/** The hash of a leaf: SHA-256(0x00 || data), where the data is salt and record (RFC 6962, section 2.1). */
export const leafHash = (salt: Uint8Array, record: string | Uint8Array): Buffer =>
  createHash('sha256').update(leafPrefix).update(salt).update(record).digest();

/** The hash of a node above two others: SHA-256(0x01 || left || right). */
export const nodeHash = (left: Uint8Array, right: Uint8Array): Buffer =>
  createHash('sha256').update(nodePrefix).update(left).update(right).digest();

const leafPrefix = Buffer.of(0);
const nodePrefix = Buffer.of(1);

/** The root of a tree without leaves. */
export const emptyRoot = createHash('sha256').digest();

/** A complete subtree: of 2^level leaves, the first of which is at index * 2^level. */
export interface TreeNode {
  readonly level: number;
  readonly index: number;
  readonly hash: Buffer;
}

/**
 * The right edge of a tree: the roots of the complete subtrees that its leaves fall into, the largest first. It is all
 * that appending needs.
 */
export class Frontier {
  #size: number;
  readonly #hashes: Buffer[];

  /** @param hashes one for each 1 of the binary size, the largest first; throws `RangeError` where there are others */
  constructor(size = 0, hashes: readonly Buffer[] = []) {
    let wanted = 0;
    for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) wanted += rest % 2;
    if (hashes.length !== wanted) throw new RangeError(`a tree of ${size} leaves has an edge of ${wanted} hashes`);
    this.#size = size;
    this.#hashes = [...hashes];
  }

  get size(): number {
    return this.#size;
  }

  /** Appends a leaf, and gives the nodes above it that are complete with it, from the lowest. */
  append(leaf: Buffer): TreeNode[] {
    const completed: TreeNode[] = [];
    let hash = leaf;
    let index = this.#size;
    for (let level = 1; index % 2 === 1; level++) {
      hash = nodeHash(this.#hashes.pop() ?? emptyRoot, hash);
      index = (index - 1) / 2;
      completed.push({ level, index, hash });
    }
    this.#hashes.push(hash);
    this.#size++;
    return completed;
  }

  /** The root of the tree (RFC 6962, section 2.1). */
  root(): Buffer {
    const [last, ...others] = [...this.#hashes].reverse();
    return others.reduce((right, left) => nodeHash(left, right), last ?? emptyRoot);
  }

  /** The hashes in base64, one after the other. */
  toText(): string {
    return Buffer.concat(this.#hashes).toString('base64');
  }

  /** Throws `RangeError` where the text is not that of a tree of that size. */
  static fromText(size: number, text: string): Frontier {
    const bytes = Buffer.from(text, 'base64');
    const hashes: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += hashBytes) hashes.push(bytes.subarray(at, at + hashBytes));
    return new Frontier(size, hashes);
  }
}
