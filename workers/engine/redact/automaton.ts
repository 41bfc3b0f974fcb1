/** Called for each match, in the order of their ends; false ends the scan. */
export type OnMatch = (start: number, end: number) => boolean;

/** Finds patterns by one pass over a text: a constant number of steps for each character. */
export interface Scanner {
  /** Reports, at each place where patterns end, the longest of them. True when there was any. */
  scan(text: string, onMatch: OnMatch): boolean;
  /** Bytes that it takes, about. */
  readonly weight: number;
}

const buckets = 1 << 14;

/** A number below `buckets` for three characters. */
const hash = (first: number, second: number, third: number): number =>
  (first ^ (second << 4) ^ (third << 8)) & (buckets - 1);

/**
 * The automaton (Aho and Corasick 1975) of patterns of at least 3 characters. Its memory grows with the sum of their
 * lengths.
 */
export function automatonOf(patterns: readonly string[]): Scanner {
  const tree = treeOf(patterns);
  const { child, longest, fallback } = tree;
  const starts = new Uint8Array(buckets);
  for (const pattern of patterns) {
    starts[hash(pattern.charCodeAt(0), pattern.charCodeAt(1), pattern.charCodeAt(2))] = 1;
  }
  return {
    weight: tree.weight + buckets,
    scan(text, onMatch) {
      let any = false;
      let state = 0;
      for (let at = 0; at < text.length; at++) {
        if (state === 0) {
          at = nextStart(text, at);
          if (at < 0) break;
        }
        const unit = text.charCodeAt(at);
        let next = child(state, unit);
        while (next === 0 && state !== 0) {
          state = fallback[state] ?? 0;
          next = child(state, unit);
        }
        state = next;
        const length = longest[state] ?? 0;
        if (length === 0) continue;
        any = true;
        if (!onMatch(at + 1 - length, at + 1)) break;
      }
      return any;
    },
  };

  /** The first place, from `from` on, where the first three characters of a pattern may stand; -1 where none is left. */
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

/** The patterns as a tree of characters, whose root is node 0. */
interface Tree {
  /** The node one character on; 0 where there is none. */
  readonly child: (node: number, unit: number) => number;
  /** By node: the node of the longest proper suffix of its text that is in the tree. */
  readonly fallback: Int32Array;
  /** By node: the length of the longest pattern that its text ends with; 0 where it ends with none. */
  readonly longest: Int32Array;
  readonly weight: number;
}

function treeOf(patterns: readonly string[]): Tree {
  const most = patterns.reduce((sum, { length }) => sum + length, 1);
  const edges = edgesFor(most);
  const longest = new Int32Array(most);
  const parents: number[] = [0];
  const units: number[] = [0];
  const byDepth: number[][] = [];
  for (const pattern of patterns) {
    let node = 0;
    for (let depth = 0; depth < pattern.length; depth++) {
      const unit = pattern.charCodeAt(depth);
      let next = edges.get(node, unit);
      if (next === 0) {
        next = parents.length;
        parents.push(node);
        units.push(unit);
        (byDepth[depth] ??= []).push(next);
        edges.set(node, unit, next);
      }
      node = next;
    }
    longest[node] = pattern.length;
  }
  const fallback = new Int32Array(parents.length);
  for (const [depth, nodes] of byDepth.entries()) {
    if (depth > 0) for (const node of nodes) link(node);
  }
  return { child: edges.get, fallback, longest, weight: edges.weight + 8 * most };

  /** A node's suffixes are shorter than its own text, so that they have been linked before. */
  function link(node: number): void {
    const unit = units[node] ?? 0;
    let suffix = fallback[parents[node] ?? 0] ?? 0;
    while (suffix !== 0 && edges.get(suffix, unit) === 0) suffix = fallback[suffix] ?? 0;
    const target = edges.get(suffix, unit);
    fallback[node] = target;
    if ((longest[node] ?? 0) === 0) longest[node] = longest[target] ?? 0;
  }
}

interface Edges {
  readonly get: (node: number, unit: number) => number;
  readonly set: (node: number, unit: number, child: number) => void;
  readonly weight: number;
}

/** A hash table of (node, character) with open addressing: a `Map` takes five times the memory, and the time. */
function edgesFor(count: number): Edges {
  const size = 1 << (32 - Math.clz32(count * 2));
  const nodes = new Int32Array(size);
  const units = new Uint16Array(size);
  const children = new Int32Array(size);
  const slotOf = (node: number, unit: number): number => {
    let slot = (Math.imul(node, 0x9e3779b1) ^ Math.imul(unit, 0x85ebca6b)) >>> 7;
    for (slot &= size - 1; children[slot] !== 0; slot = (slot + 1) & (size - 1)) {
      if (nodes[slot] === node && units[slot] === unit) break;
    }
    return slot;
  };
  return {
    get: (node, unit) => children[slotOf(node, unit)] ?? 0,
    set(node, unit, child) {
      const slot = slotOf(node, unit);
      nodes[slot] = node;
      units[slot] = unit;
      children[slot] = child;
    },
    weight: size * 10,
  };
}
