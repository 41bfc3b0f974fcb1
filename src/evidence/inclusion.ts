import { BadCheckpoint, fromBase64, parseCheckpoint, type Checkpoint } from './checkpoint.js';
import type { ProvedRecord } from './evidence.schema.js';
import { NotProved } from './evidenceFile.js';
import { rootOfPath } from './paths.js';
import { hashBytes, leafHash } from './tree.js';

/** Reads a head of a file. @param what it is, for people. Throws `NotProved`. */
export function headOf(text: string, what: string): Checkpoint {
  try {
    return parseCheckpoint(text);
  } catch (error) {
    if (error instanceof BadCheckpoint) throw new NotProved(`${what} is no checkpoint: ${error.message}`);
    throw error;
  }
}

/** Hashes in base64. Throws `NotProved`. */
export function hashesOf(texts: readonly string[]): Buffer[] {
  return texts.map((text) => {
    const hash = fromBase64(text);
    if (hash?.length !== hashBytes) throw new NotProved('a hash of the file is none');
    return hash;
  });
}

/** @param what of the file it is, for people. Throws `NotProved` where it has no place in the tree. */
export function requireInclusion({ record, salt, index, path }: ProvedRecord, head: Checkpoint, what: string): void {
  const [salted = Buffer.alloc(0)] = hashesOf([salt]);
  const root = rootOfPath(leafHash(salted, record), index, head.size, hashesOf(path));
  if (root?.equals(head.root) !== true) throw new NotProved(`${what} is not in the tree that the head is of`);
}
