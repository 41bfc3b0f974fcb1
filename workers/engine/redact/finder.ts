/** Looks for many patterns at once, in time that grows with the text, whatever the number of the patterns. */
export interface Finder {
  /** Whether any pattern is in the text. */
  isIn(text: string): boolean;
  /** The parts of the text that are patterns, as [start, end) in order; those that overlap or touch are one. */
  all(text: string): Part[];
  /** Bytes that it takes, about. */
  readonly weight: number;
}

/** Part of a text: [start, end). */
interface Part {
  readonly start: number;
  readonly end: number;
}

/** Patterns from this length on are looked for in blocks, so that a part of one is found too. */
const longFrom = 64;
const blockLength = 32;

const buckets = 1 << 14;

/** A number below `buckets` for three characters. */
const hash = (first: number, second: number, third: number): number =>
  (first ^ (second << 4) ^ (third << 8)) & (buckets - 1);

/** Makes a finder of patterns of at least 3 characters. Of long ones it finds every whole block of 32 characters, too. */
export function finderOf(patterns: Iterable<string>): Finder {
  const pieces = [...new Set([...patterns].flatMap(blocksOf))];
  const tree = treeOf(pieces, 0);
  const starts = new Uint8Array(buckets);
  for (const piece of pieces) starts[hash(piece.charCodeAt(0), piece.charCodeAt(1), piece.charCodeAt(2))] = 1;
  return {
    isIn(text) {
      for (let at = nextStart(text, 0); at >= 0; at = nextStart(text, at + 1)) {
        if (longestAt(tree, text, at, 0) > 0) return true;
      }
      return false;
    },
    all(text) {
      const parts: { start: number; end: number }[] = [];
      for (let at = nextStart(text, 0); at >= 0; at = nextStart(text, at + 1)) {
        const length = longestAt(tree, text, at, 0);
        const last = parts.at(-1);
        if (length > 0 && last !== undefined && last.end >= at) last.end = Math.max(last.end, at + length);
        else if (length > 0) parts.push({ start: at, end: at + length });
      }
      return parts;
    },
    weight: pieces.reduce((sum, { length }) => sum + length * 2 + bytesPerPiece, buckets),
  };

  /** The first offset, from `from` on, where the first three characters of a pattern may stand; -1 where none is left. */
  function nextStart(text: string, from: number): number {
    let first = 0;
    let second = text.charCodeAt(from);
    let third = text.charCodeAt(from + 1);
    for (let at = from + 2; at < text.length; at++) {
      first = second;
      second = third;
      third = text.charCodeAt(at);
      if (starts[hash(first, second, third)] === 1) return at - 2;
    }
    return -1;
  }
}

/** A long pattern as blocks one after the other, and its last block: together they cover all of it. */
function blocksOf(pattern: string): string[] {
  if (pattern.length < longFrom) return [pattern];
  const blocks: string[] = [];
  for (let from = 0; from < pattern.length; from += blockLength) {
    const start = Math.min(from, pattern.length - blockLength);
    blocks.push(pattern.slice(start, start + blockLength));
  }
  return blocks;
}

/** Patterns that begin alike: a few by themselves, more by the characters that follow. */
type Tree =
  | { readonly few: readonly string[] }
  | {
      /** What is left of patterns that end within the next characters. */
      readonly ends: ReadonlySet<string>;
      readonly next: ReadonlyMap<number, Tree>;
    };

/** Characters of a step down the tree. */
const step = 3;
const mostInList = 4;
/** Estimated bytes of a pattern beside its characters: its part of the tree. */
const bytesPerPiece = 300;

/** A number of its own for each three characters. */
const keyAt = (text: string, at: number): number =>
  text.charCodeAt(at) * 2 ** 32 + text.charCodeAt(at + 1) * 2 ** 16 + text.charCodeAt(at + 2);

/** @param depth characters that all of these patterns have in common */
function treeOf(patterns: readonly string[], depth: number): Tree {
  if (patterns.length <= mostInList) return { few: [...patterns].sort((one, other) => other.length - one.length) };
  const ends = new Set<string>();
  const groups = new Map<number, string[]>();
  for (const pattern of patterns) {
    const key = keyAt(pattern, depth);
    if (pattern.length < depth + step) ends.add(pattern.slice(depth));
    else if (groups.get(key)?.push(pattern) === undefined) groups.set(key, [pattern]);
  }
  return { ends, next: new Map([...groups].map(([key, group]) => [key, treeOf(group, depth + step)])) };
}

/** The length of the longest pattern that stands at an offset of the text; 0 where there is none. */
function longestAt(tree: Tree, text: string, at: number, depth: number): number {
  if ('few' in tree) return tree.few.find((pattern) => text.startsWith(pattern, at))?.length ?? 0;
  const from = at + depth;
  const next = tree.next.get(keyAt(text, from));
  const longest = next === undefined ? 0 : longestAt(next, text, at, depth + step);
  if (longest > 0 || tree.ends.size === 0) return longest;
  for (let length = step - 1; length >= 0; length--) {
    const end = text.slice(from, from + length);
    if (tree.ends.has(end)) return depth + end.length;
  }
  return 0;
}
