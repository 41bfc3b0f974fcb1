import type { Scanner } from './automaton.js';

/** Characters of a block. */
export const blockLength = 32;

const base = 0x01000193;
/** What the character that leaves the window has been multiplied with. */
const leaving = powerOf(base, blockLength);

const buckets = 1 << 16;

/**
 * Finds long patterns by a rolling hash (Karp and Rabin 1987), which takes memory for one character in 32. It takes
 * patterns of at least 32 characters apart: into blocks of 32 one after the other, and the last 32 characters. So
 * every whole pattern in a text is covered by matches, and of a part of one whatever holds a whole block.
 */
export function blocksOf(patterns: readonly string[]): Scanner {
  const byHash = new Map<number, string[]>();
  const seen = new Uint8Array(buckets);
  let weight = buckets;
  for (const pattern of patterns) {
    weight += pattern.length * 2;
    for (let from = 0; from < pattern.length; from += blockLength) {
      const start = Math.min(from, pattern.length - blockLength);
      const block = pattern.slice(start, start + blockLength);
      const hash = hashOf(block);
      const known = byHash.get(hash);
      if (known === undefined) byHash.set(hash, [block]);
      else if (!known.includes(block)) known.push(block);
      seen[hash & (buckets - 1)] = 1;
    }
  }
  return {
    weight: weight + byHash.size * 150,
    scan(text, onMatch) {
      let any = false;
      let hash = 0;
      for (let end = 1; end <= text.length; end++) {
        hash = (Math.imul(hash, base) + text.charCodeAt(end - 1)) | 0;
        const start = end - blockLength;
        if (start > 0) hash = (hash - Math.imul(text.charCodeAt(start - 1), leaving)) | 0;
        if (start < 0 || seen[hash & (buckets - 1)] !== 1) continue;
        if (!isBlock(hash, text, start)) continue;
        any = true;
        if (!onMatch(start, end)) break;
      }
      return any;
    },
  };

  function isBlock(hash: number, text: string, start: number): boolean {
    for (const block of byHash.get(hash) ?? []) if (text.startsWith(block, start)) return true;
    return false;
  }
}

function hashOf(block: string): number {
  let hash = 0;
  for (let at = 0; at < block.length; at++) hash = (Math.imul(hash, base) + block.charCodeAt(at)) | 0;
  return hash;
}

function powerOf(factor: number, exponent: number): number {
  let power = 1;
  for (let count = 0; count < exponent; count++) power = Math.imul(power, factor);
  return power;
}
